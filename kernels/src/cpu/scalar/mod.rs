//! The language's arithmetic on one element.
//!
//! Each function is generic over the element type and defined for every value, as the language defines it: nothing
//! panics or depends on the build profile. `f16` and `bf16` are computed in `f32` and rounded once per function.
//! Truth values are `u8`: 0 or 1.

mod arithmetic;
mod bits;
mod cast;
mod compare;
mod division;
mod extrema;
mod mathematics;
mod power;
mod reduce;

pub use arithmetic::{Arithmetic, abs, add, mul, neg, sign, sub};
pub use bits::{Bitwise, and, logical_not, not, or, shift_left, shift_right, xor};
pub use cast::{Cast, cast, to_boolean};
pub use compare::{equal, greater, greater_equal, is_finite, is_nan, less, less_equal, not_equal, select};
pub use division::{Division, div, floor_div, floor_mod, rem};
pub use extrema::{Extrema, maximum, minimum};
pub use mathematics::{
    Mathematics, ceil, cos, erf, erfc, exp, expm1, floor, log, log1p, round, rsqrt, sin, sqrt, tan, tanh,
};
pub use power::{Power, pow};
pub use reduce::{Best, narrow, widen};

/// The trait of one group of operations and the functions that call it.
///
/// The trait is implemented for the types that are computed in (see `Element::Wide`); the functions take any element
/// type, widen, compute and narrow.
macro_rules! operations {
    ($(#[$about:meta])* trait $trait:ident for $element:ident;
     $($(#[$doc:meta])* fn $name:ident($($operand:ident),+);)+) => {
        $(#[$about])*
        pub trait $trait: Sized {$(
            $(#[$doc])*
            fn $name($($operand: Self),+) -> Self;
        )+}
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<T: $element>($($operand: T),+) -> T {
                T::narrow($trait::$name($($operand.widen()),+))
            }
        )+
    };
}
use operations;
