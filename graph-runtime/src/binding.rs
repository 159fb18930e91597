//! Binds the caller's arrays to a plan's inputs and outputs, in place where they are contiguous.

use graph_ir::args::Bound;
use graph_ir::{DType, Plan};
use ndarray::{ArrayView, ArrayViewMut, Dimension};

use crate::error::{Error, Result};

/// The element types of the caller's arrays: the dtypes of the language.
pub trait Element: sealed::Sealed + Copy + 'static {
    /// The dtype.
    const DTYPE: DType;
    /// Zero, or `false`.
    const ZERO: Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($ty:ty, $dtype:ident, $zero:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            const ZERO: Self = $zero;
        }
    )*};
}

elements! {
    f32, F32, 0.0;
    f64, F64, 0.0;
    half::f16, F16, half::f16::ZERO;
    half::bf16, BF16, half::bf16::ZERO;
    i32, I32, 0;
    i64, I64, 0;
    u8, U8, 0;
    bool, Bool, false;
}

/// Memory for an argument that cannot be used in place: aligned for every element type, kept from run to run.
#[derive(Default)]
pub(crate) struct Staging {
    words: Vec<u64>,
}

impl Staging {
    fn reserve(&mut self, bytes: u64) -> *mut u8 {
        self.words.resize((bytes as usize).div_ceil(8), 0);
        self.words.as_mut_ptr().cast()
    }
}

/// Collects the addresses of the inputs of one run.
#[doc(hidden)]
pub struct InputBinder<'b> {
    pub(crate) plan: &'static Plan,
    pub(crate) staging: &'b mut [Staging],
    /// Address and bytes by input.
    pub(crate) bound: &'b mut [Bound],
}

impl InputBinder<'_> {
    pub(crate) fn array<T: Element, D: Dimension>(
        &mut self,
        i: usize,
        view: ArrayView<'_, T, D>,
    ) -> Result<()> {
        let input = &self.plan.inputs[i];
        if !same_dims(view.shape(), input.dims) {
            return Err(Error::invalid_argument(format!(
                "input `{}` of `{}` is {}{:?}, and an array of shape {:?} is given",
                input.name,
                self.plan.name,
                input.dtype,
                input.dims,
                view.shape()
            )));
        }
        let bytes = view.len() * size_of::<T>();
        let address = if view.is_standard_layout() {
            view.as_ptr().cast_mut().cast()
        } else {
            let address: *mut T = self.staging[i].reserve(bytes as u64).cast();
            for (position, element) in view.iter().enumerate() {
                // SAFETY: the staging memory holds `view.len()` elements and is aligned for each dtype.
                unsafe { address.add(position).write(*element) };
            }
            address.cast()
        };
        self.bound[i] = Bound { address, bytes };
        Ok(())
    }

    pub(crate) fn scalar<T: Element>(&mut self, i: usize, value: T) -> Result<()> {
        let address: *mut T = self.staging[i].reserve(size_of::<T>() as u64).cast();
        // SAFETY: the staging memory holds one element and is aligned for each dtype.
        unsafe { address.write(value) };
        self.bound[i] = Bound { address: address.cast(), bytes: size_of::<T>() };
        Ok(())
    }
}

/// Collects the addresses of the outputs of one run.
#[doc(hidden)]
pub struct OutputBinder<'b> {
    pub(crate) plan: &'static Plan,
    pub(crate) staging: &'b mut [Staging],
    pub(crate) bound: &'b mut [Bound],
}

impl OutputBinder<'_> {
    pub(crate) fn array<T: Element, D: Dimension>(
        &mut self,
        i: usize,
        view: &mut ArrayViewMut<'_, T, D>,
    ) -> Result<()> {
        let output = &self.plan.outputs[i];
        if !same_dims(view.shape(), output.dims) {
            let name = if output.name.is_empty() {
                format!("output {i}")
            } else {
                format!("output `{}`", output.name)
            };
            return Err(Error::invalid_argument(format!(
                "{name} of `{}` is {}{:?}, and an array of shape {:?} is given for it",
                self.plan.name,
                output.dtype,
                output.dims,
                view.shape()
            )));
        }
        let bytes = view.len() * size_of::<T>();
        let address = if view.is_standard_layout() {
            view.as_mut_ptr().cast()
        } else {
            self.staging[i].reserve(bytes as u64)
        };
        self.bound[i] = Bound { address, bytes };
        Ok(())
    }

    pub(crate) fn scalar<T: Element>(&mut self, i: usize, value: &mut T) -> Result<()> {
        self.bound[i] = Bound { address: std::ptr::from_mut(value).cast(), bytes: size_of::<T>() };
        Ok(())
    }

    /// Copies an output that was computed in staging memory into the caller's array.
    pub(crate) fn copy_back<T: Element, D: Dimension>(&self, i: usize, view: &mut ArrayViewMut<'_, T, D>) {
        if view.is_standard_layout() {
            return;
        }
        let address: *const T = self.staging[i].words.as_ptr().cast();
        for (position, element) in view.iter_mut().enumerate() {
            // SAFETY: `array` reserved `view.len()` elements, and the run has written all of them with values of
            // the output's dtype, which is `T`'s; bools are written as 0 or 1.
            *element = unsafe { address.add(position).read() };
        }
    }
}

fn same_dims(given: &[usize], wanted: &[u64]) -> bool {
    given.len() == wanted.len() && given.iter().zip(wanted).all(|(given, wanted)| *given as u64 == *wanted)
}
