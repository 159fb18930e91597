//! Types for editors: the expansion repeats each name of a graph in code that never runs, with one of these types, so
//! that hovering over it shows dtype, shape and device, and rustc warns of unused ones.

use std::marker::PhantomData;

/// A tensor of elements `T`, of shape `S`, on device `D`.
#[derive(Clone, Copy)]
pub struct Tensor<T, S, D>(PhantomData<(T, S, D)>);

/// A name that is no tensor: a list, a number, a string.
#[derive(Clone, Copy)]
pub struct Value;

/// The default device: the first GPU, or the CPU.
pub struct Default;

/// `/device:CPU:N`
pub struct Cpu<const N: u32>;

/// `/device:GPU:N`
pub struct Gpu<const N: u32>;

/// Any other device request.
pub struct Elsewhere;

/// Shape of a scalar.
pub struct Scalar;

macro_rules! shapes {
    ($($name:ident $($dim:ident)+;)*) => {$(
        /// A shape.
        pub struct $name<$(const $dim: u64),+>;
    )*};
}

shapes! {
    Shape1 A;
    Shape2 A B;
    Shape3 A B C;
    Shape4 A B C D;
    Shape5 A B C D E;
    Shape6 A B C D E F;
}

/// A shape of more than six axes.
pub struct Shape;

/// Never called.
pub fn tensor<T, S, D>() -> Tensor<T, S, D> {
    Tensor(PhantomData)
}

/// Never called.
pub fn value() -> Value {
    Value
}

/// Uses a name.
pub fn uses<T>(_name: &T) {}
