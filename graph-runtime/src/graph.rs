//! The typed face of a plan: [`Graph`] knows the types of its inputs and outputs, so that a wrong dtype or rank is an
//! error of rustc, and only sizes are left to check at a run.

use std::marker::PhantomData;

use graph_ir::Plan;
use ndarray::{Array, ArrayView, ArrayViewMut, Dimension, IxDyn};

use crate::binding::{Element, InputBinder, OutputBinder};
use crate::error::Result;

/// A compiled graph: what `graph! { … }` gives. `I` and `O` are the types of its inputs and outputs.
pub struct Graph<I, O> {
    plan: &'static Plan,
    types: PhantomData<fn(I) -> O>,
}

impl<I, O> Graph<I, O> {
    /// A graph of a plan whose inputs and outputs have these types; printed code calls it.
    #[doc(hidden)]
    pub const fn new(plan: &'static Plan) -> Self {
        Graph { plan, types: PhantomData }
    }

    /// The static plan: nodes, devices, memory, steps. `println!("{}", g.plan())` shows it.
    pub const fn plan(&self) -> &'static Plan {
        self.plan
    }
}

impl<I, O> Clone for Graph<I, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, O> Copy for Graph<I, O> {}

impl<I, O> std::fmt::Debug for Graph<I, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph")
            .field("name", &self.plan.name)
            .field("file", &self.plan.file)
            .finish_non_exhaustive()
    }
}

/// An input of one or more axes.
pub struct In<T, D>(PhantomData<(T, D)>);

/// A scalar input.
pub struct ScalarIn<T>(PhantomData<T>);

/// An output of one or more axes.
pub struct Out<T, D>(PhantomData<(T, D)>);

/// A scalar output.
pub struct ScalarOut<T>(PhantomData<T>);

/// Outputs with names, as a struct `N`.
pub struct NamedOut<N>(PhantomData<N>);

/// What can be passed for one input: anything that becomes an [`ArrayView`] of the right dtype and rank (a reference
/// to an array, a view, a nested Rust array, a slice), of any memory layout; a plain number for a scalar input.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for this input of the graph, which is `{S}`",
    note = "pass a reference to an `ndarray` array, a view or a Rust array of the declared dtype and rank, \
            or a plain number for a scalar"
)]
pub trait Feed<'a, S> {
    #[doc(hidden)]
    fn feed(self, input: usize, binder: &mut InputBinder<'_>) -> Result<()>;
}

#[diagnostic::do_not_recommend]
impl<'a, A, T, D> Feed<'a, In<T, D>> for A
where
    A: Into<ArrayView<'a, T, D>>,
    T: Element,
    D: Dimension,
{
    fn feed(self, input: usize, binder: &mut InputBinder<'_>) -> Result<()> {
        binder.array(input, self.into())
    }
}

impl<T: Element> Feed<'_, ScalarIn<T>> for T {
    fn feed(self, input: usize, binder: &mut InputBinder<'_>) -> Result<()> {
        binder.scalar(input, self)
    }
}

impl<'a, T: Element> Feed<'a, ScalarIn<T>> for &'a T {
    fn feed(self, input: usize, binder: &mut InputBinder<'_>) -> Result<()> {
        binder.scalar(input, *self)
    }
}

/// What can be passed for all inputs: `()` for none, the one alone, a tuple for several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit the inputs of the graph, which are `{I}`",
    note = "pass `()` for no input, `&x` for one, a tuple `(&x, &y)` for several"
)]
pub trait Feeds<'a, I> {
    #[doc(hidden)]
    fn feed_all(self, binder: &mut InputBinder<'_>) -> Result<()>;
}

impl Feeds<'_, ()> for () {
    fn feed_all(self, _binder: &mut InputBinder<'_>) -> Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<'a, A: Feed<'a, In<T, D>>, T, D> Feeds<'a, In<T, D>> for A {
    fn feed_all(self, binder: &mut InputBinder<'_>) -> Result<()> {
        self.feed(0, binder)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, A: Feed<'a, ScalarIn<T>>, T> Feeds<'a, ScalarIn<T>> for A {
    fn feed_all(self, binder: &mut InputBinder<'_>) -> Result<()> {
        self.feed(0, binder)
    }
}

/// The outputs of a graph, as a type.
pub trait Outputs {
    /// What a run gives: an array, a number, a tuple of them, or a struct.
    type Value;
    /// How many outputs there are.
    #[doc(hidden)]
    const COUNT: usize;
    #[doc(hidden)]
    fn allocate(plan: &'static Plan, first: usize) -> Self::Value;
    #[doc(hidden)]
    fn bind(value: &mut Self::Value, first: usize, binder: &mut OutputBinder<'_>) -> Result<()>;
}

/// A zeroed array of an output's shape. Shapes of plans fit in memory's index type, or loading has failed.
fn zeros<T: Element, D: Dimension>(plan: &'static Plan, output: usize) -> Array<T, D> {
    let dims: Vec<usize> = plan.outputs[output].dims.iter().map(|&dim| dim as usize).collect();
    let dims = D::from_dimension(&IxDyn(&dims)).unwrap_or_else(|| unreachable!("the macro prints the rank"));
    Array::from_elem(dims, T::ZERO)
}

impl<T: Element, D: Dimension> Outputs for Out<T, D> {
    type Value = Array<T, D>;
    const COUNT: usize = 1;

    fn allocate(plan: &'static Plan, first: usize) -> Self::Value {
        zeros(plan, first)
    }

    fn bind(value: &mut Self::Value, first: usize, binder: &mut OutputBinder<'_>) -> Result<()> {
        binder.array(first, &mut value.view_mut())
    }
}

impl<T: Element> Outputs for ScalarOut<T> {
    type Value = T;
    const COUNT: usize = 1;

    fn allocate(_plan: &'static Plan, _first: usize) -> Self::Value {
        T::ZERO
    }

    fn bind(value: &mut Self::Value, first: usize, binder: &mut OutputBinder<'_>) -> Result<()> {
        binder.scalar(first, value)
    }
}

/// A struct of named outputs; printed code implements it.
pub trait Named {
    /// The outputs without their names.
    type Spec: Outputs;
    /// The struct of the values.
    fn from_values(values: <Self::Spec as Outputs>::Value) -> Self;
}

/// How the values of `O` are stored until a run has filled them, and what they become.
#[doc(hidden)]
pub trait Results: Outputs {
    type Stored;
    fn store(plan: &'static Plan) -> Self::Stored;
    fn bind_stored(stored: &mut Self::Stored, binder: &mut OutputBinder<'_>) -> Result<()>;
    fn finish(stored: Self::Stored) -> Self::Value;
}

impl<N: Named> Outputs for NamedOut<N> {
    type Value = N;
    const COUNT: usize = <N::Spec as Outputs>::COUNT;

    fn allocate(plan: &'static Plan, first: usize) -> Self::Value {
        N::from_values(<N::Spec as Outputs>::allocate(plan, first))
    }

    fn bind(_value: &mut Self::Value, _first: usize, _binder: &mut OutputBinder<'_>) -> Result<()> {
        unreachable!("named results are bound before they get their names")
    }
}

impl<N: Named> Results for NamedOut<N> {
    type Stored = <N::Spec as Outputs>::Value;

    fn store(plan: &'static Plan) -> Self::Stored {
        <N::Spec as Outputs>::allocate(plan, 0)
    }

    fn bind_stored(stored: &mut Self::Stored, binder: &mut OutputBinder<'_>) -> Result<()> {
        <N::Spec as Outputs>::bind(stored, 0, binder)
    }

    fn finish(stored: Self::Stored) -> N {
        N::from_values(stored)
    }
}

macro_rules! plain_results {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Results for $ty {
            type Stored = <$ty as Outputs>::Value;

            fn store(plan: &'static Plan) -> Self::Stored {
                <$ty as Outputs>::allocate(plan, 0)
            }

            fn bind_stored(stored: &mut Self::Stored, binder: &mut OutputBinder<'_>) -> Result<()> {
                <$ty as Outputs>::bind(stored, 0, binder)
            }

            fn finish(stored: Self::Stored) -> Self::Value {
                stored
            }
        }
    )*};
}

plain_results! {
    [T: Element, D: Dimension] Out<T, D>;
    [T: Element] ScalarOut<T>;
}

/// Where a run writes one output: anything that becomes an [`ArrayViewMut`] of the right dtype and rank, of any
/// memory layout; `&mut` of a number for a scalar output.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot receive this output of the graph, which is `{S}`",
    note = "pass `&mut` of an `ndarray` array or of a Rust array of the output's dtype and rank, \
            or `&mut` of a number for a scalar"
)]
pub trait Fetch<'o, S> {
    #[doc(hidden)]
    type Target: Target;
    #[doc(hidden)]
    fn target(self) -> Self::Target;
}

/// A place that a run writes into.
#[doc(hidden)]
pub trait Target {
    const COUNT: usize;
    fn bind(&mut self, first: usize, binder: &mut OutputBinder<'_>) -> Result<()>;
    /// Called after the run: copies what could not be written in place.
    fn finish(&mut self, first: usize, binder: &OutputBinder<'_>);
}

#[diagnostic::do_not_recommend]
impl<'o, A, T, D> Fetch<'o, Out<T, D>> for A
where
    A: Into<ArrayViewMut<'o, T, D>>,
    T: Element,
    D: Dimension,
{
    type Target = ArrayViewMut<'o, T, D>;

    fn target(self) -> Self::Target {
        self.into()
    }
}

impl<'o, T: Element> Fetch<'o, ScalarOut<T>> for &'o mut T {
    type Target = &'o mut T;

    fn target(self) -> Self::Target {
        self
    }
}

impl<T: Element, D: Dimension> Target for ArrayViewMut<'_, T, D> {
    const COUNT: usize = 1;

    fn bind(&mut self, first: usize, binder: &mut OutputBinder<'_>) -> Result<()> {
        binder.array(first, self)
    }

    fn finish(&mut self, first: usize, binder: &OutputBinder<'_>) {
        binder.copy_back(first, self);
    }
}

impl<T: Element> Target for &mut T {
    const COUNT: usize = 1;

    fn bind(&mut self, first: usize, binder: &mut OutputBinder<'_>) -> Result<()> {
        binder.scalar(first, &mut **self)
    }

    fn finish(&mut self, _first: usize, _binder: &OutputBinder<'_>) {}
}

/// Where a run writes all outputs: the one alone, a tuple for several (named ones, too, in their order).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit the outputs of the graph, which are `{O}`",
    note = "pass `&mut y` for one output, a tuple `(&mut y, &mut z)` for several"
)]
pub trait Fetches<'o, O> {
    #[doc(hidden)]
    type Targets: Target;
    #[doc(hidden)]
    fn targets(self) -> Self::Targets;
}

#[diagnostic::do_not_recommend]
impl<'o, A: Fetch<'o, Out<T, D>>, T, D> Fetches<'o, Out<T, D>> for A {
    type Targets = A::Target;

    fn targets(self) -> Self::Targets {
        self.target()
    }
}

#[diagnostic::do_not_recommend]
impl<'o, A: Fetch<'o, ScalarOut<T>>, T> Fetches<'o, ScalarOut<T>> for A {
    type Targets = A::Target;

    fn targets(self) -> Self::Targets {
        self.target()
    }
}

impl<'o, N: Named, A: Fetches<'o, N::Spec>> Fetches<'o, NamedOut<N>> for A {
    type Targets = A::Targets;

    fn targets(self) -> Self::Targets {
        self.targets()
    }
}

macro_rules! tuples {
    ($(($($spec:ident $value:ident $index:tt),+);)+) => {$(
        impl<'a, $($spec, $value: Feed<'a, $spec>),+> Feeds<'a, ($($spec,)+)> for ($($value,)+) {
            fn feed_all(self, binder: &mut InputBinder<'_>) -> Result<()> {
                $(self.$index.feed($index, binder)?;)+
                Ok(())
            }
        }

        impl<$($spec: Outputs),+> Outputs for ($($spec,)+) {
            type Value = ($($spec::Value,)+);
            const COUNT: usize = 0 $(+ $spec::COUNT)+;

            fn allocate(plan: &'static Plan, first: usize) -> Self::Value {
                ($($spec::allocate(plan, first + $index),)+)
            }

            fn bind(value: &mut Self::Value, first: usize, binder: &mut OutputBinder<'_>) -> Result<()> {
                $($spec::bind(&mut value.$index, first + $index, binder)?;)+
                Ok(())
            }
        }

        plain_results! { [$($spec: Outputs),+] ($($spec,)+); }

        impl<$($value: Target),+> Target for ($($value,)+) {
            const COUNT: usize = 0 $(+ $value::COUNT)+;

            fn bind(&mut self, first: usize, binder: &mut OutputBinder<'_>) -> Result<()> {
                $(self.$index.bind(first + $index, binder)?;)+
                Ok(())
            }

            fn finish(&mut self, first: usize, binder: &OutputBinder<'_>) {
                $(self.$index.finish(first + $index, binder);)+
            }
        }

        impl<'o, $($spec, $value: Fetch<'o, $spec>),+> Fetches<'o, ($($spec,)+)> for ($($value,)+) {
            type Targets = ($($value::Target,)+);

            fn targets(self) -> Self::Targets {
                ($(self.$index.target(),)+)
            }
        }
    )+};
}

tuples! {
    (S0 A0 0);
    (S0 A0 0, S1 A1 1);
    (S0 A0 0, S1 A1 1, S2 A2 2);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5, S6 A6 6);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5, S6 A6 6, S7 A7 7);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5, S6 A6 6, S7 A7 7, S8 A8 8);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5, S6 A6 6, S7 A7 7, S8 A8 8, S9 A9 9);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5, S6 A6 6, S7 A7 7, S8 A8 8, S9 A9 9, S10 A10 10);
    (S0 A0 0, S1 A1 1, S2 A2 2, S3 A3 3, S4 A4 4, S5 A5 5, S6 A6 6, S7 A7 7, S8 A8 8, S9 A9 9, S10 A10 10,
     S11 A11 11);
}
