//! The Rust types that tensor elements are stored as.

use core::fmt::Debug;

use graph_ir::DType;
use half::{bf16, f16};

use super::half_bits;
use super::scalar::{Arithmetic, Bitwise, Division, Extrema, Mathematics, Power};

/// A type of tensor elements: `f32`, `f64`, `f16`, `bf16`, `i32`, `i64` or `u8`.
///
/// `bool` tensors are stored as `u8` with the values 0 and 1.
///
/// The trait is sealed: every implementor is valid for each pattern of its bits and has no padding, which is what
/// lets [`read`](super::read()) and [`write`](super::write()) hand out bytes as elements.
pub trait Element:
    Copy + Default + PartialEq + PartialOrd + Debug + Send + Sync + sealed::Sealed + 'static
{
    /// The dtype that this type stores; [`DType::U8`] for `u8`, though it stores `bool` as well.
    const DTYPE: DType;
    /// Zero; positive zero for floats.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The type in which this one is computed and summed: `f32` for `f16` and `bf16`, itself for the others.
    type Wide: Element<Wide = Self::Wide> + Arithmetic + Division + Extrema + Power;
    /// The same value in the wide type; always exact.
    fn widen(self) -> Self::Wide;
    /// The nearest value of this type, ties to even; the identity where the wide type is this type.
    fn narrow(wide: Self::Wide) -> Self;
}

/// The floating-point element types.
pub trait Float: Element<Wide: Mathematics> {}

/// The integer element types: `i32`, `i64` and `u8`.
pub trait Integer: Element<Wide: Bitwise> {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! itself {
    ($($type:ident $dtype:ident $zero:literal $one:literal $kind:ident;)+) => {$(
        impl sealed::Sealed for $type {}
        impl $kind for $type {}
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            type Wide = Self;
            #[inline(always)]
            fn widen(self) -> Self {
                self
            }
            #[inline(always)]
            fn narrow(wide: Self) -> Self {
                wide
            }
        }
    )+};
}

itself! {
    f32 F32 0.0 1.0 Float;
    f64 F64 0.0 1.0 Float;
    i32 I32 0 1 Integer;
    i64 I64 0 1 Integer;
    u8 U8 0 1 Integer;
}

macro_rules! through_f32 {
    ($($type:ident $dtype:ident $widen:ident $narrow:ident;)+) => {$(
        impl sealed::Sealed for $type {}
        impl Float for $type {}
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;
            const ZERO: Self = $type::ZERO;
            const ONE: Self = $type::ONE;
            type Wide = f32;
            #[inline(always)]
            fn widen(self) -> f32 {
                half_bits::$widen(self.to_bits())
            }
            #[inline(always)]
            fn narrow(wide: f32) -> Self {
                $type::from_bits(half_bits::$narrow(wide))
            }
        }
    )+};
}

through_f32! {
    f16 F16 f16_to_f32 f32_to_f16;
    bf16 BF16 bf16_to_f32 f32_to_bf16;
}
