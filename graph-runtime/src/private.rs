//! What printed code calls. Not part of the public interface: it changes with the macro, and a plan of another
//! version does not compile (`assert_abi`).

pub use core::clone::Clone;
pub use core::file;
pub use core::fmt::Debug;
pub use core::marker::Sized;
pub use core::primitive::{
    bool as Bool, f32 as F32, f64 as F64, i32 as I32, i64 as I64, u8 as U8, usize as Usize,
};
pub use core::result::Result::Ok;

pub use graph_ir::make::{arena, constant, copy, input, launch, node, output, signal, slot, wait};
pub use graph_ir::plan::{Constant, Input, Kernel, Lane, Output, Site};
pub use graph_ir::{DType, KernelArgs, Plan};
pub use graph_kernels::cpu::scalar as s;
pub use graph_kernels::cpu::{Batch, MatMulShape, cumsum, matmul, read, write};
pub use half::{bf16 as BF16, f16 as F16};
pub use ndarray::{Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

pub use crate::error::Result;
pub use crate::graph::{
    Feed, Feeds, Fetch, Fetches, Graph, In, Named, NamedOut, Out, Outputs, ScalarIn, ScalarOut,
};
pub use crate::session::{Loaded, Session};

#[path = "names.rs"]
pub mod names;

/// The bytes of a constant, aligned for every element type and for vector loads.
#[repr(C, align(64))]
pub struct Aligned<const N: usize>(pub [u8; N]);

/// Refuses a plan of another layout at compile time.
pub const fn assert_abi(abi: u32) {
    assert!(abi == graph_ir::plan::ABI, "graph! and its runtime have different versions");
}

// Constants are printed as little-endian bytes.
const _: () = assert!(cfg!(target_endian = "little"), "graph! runs on little-endian machines");

/// The f32 with these bits.
pub const fn f32_bits(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// The f64 with these bits.
pub const fn f64_bits(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The f16 with these bits.
pub const fn f16_bits(bits: u16) -> half::f16 {
    half::f16::from_bits(bits)
}

/// The bf16 with these bits.
pub const fn bf16_bits(bits: u16) -> half::bf16 {
    half::bf16::from_bits(bits)
}

/// Element types without padding, and arrays of them: their bytes can be read.
///
/// # Safety
/// Every byte of a value is initialised.
pub unsafe trait Plain {}

// SAFETY: numbers and bool have no padding.
unsafe impl Plain for f32 {}
// SAFETY: as above.
unsafe impl Plain for f64 {}
// SAFETY: as above.
unsafe impl Plain for half::f16 {}
// SAFETY: as above.
unsafe impl Plain for half::bf16 {}
// SAFETY: as above.
unsafe impl Plain for i32 {}
// SAFETY: as above.
unsafe impl Plain for i64 {}
// SAFETY: as above.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for bool {}
// SAFETY: an array has no padding between its elements.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// The bytes of a user's constant.
pub const fn bytes_of<T: Plain>(value: &'static T) -> &'static [u8] {
    // SAFETY: `Plain` has no uninitialised bytes, and the reference is valid for 'static.
    unsafe { core::slice::from_raw_parts(core::ptr::from_ref(value).cast(), size_of::<T>()) }
}

/// An index type of the language.
pub trait IndexElement: Copy {
    /// The index as an i64.
    fn to_i64(self) -> i64;
    /// 0.
    const ZERO: Self;
}

impl IndexElement for i32 {
    fn to_i64(self) -> i64 {
        i64::from(self)
    }
    const ZERO: Self = 0;
}

impl IndexElement for i64 {
    fn to_i64(self) -> i64 {
        self
    }
    const ZERO: Self = 0;
}

/// The index if it is in `0..bound`; else reports site `site` and goes on with 0.
#[inline(always)]
pub fn check<T: IndexElement>(args: &mut KernelArgs<'_>, index: T, bound: u64, site: u32) -> T {
    if (index.to_i64() as u64) < bound {
        return index;
    }
    args.out_of_range(site, index.to_i64());
    T::ZERO
}
