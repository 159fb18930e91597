//! The CPU: what the Rust of generated kernels calls.
//!
//! A generated kernel takes its operands out of [`KernelArgs`](graph_ir::KernelArgs) by [`read`] and [`write()`],
//! which give arrays of a static size, and computes with [`scalar`]; or it hands them to an algorithm, such as
//! [`matmul`]. Everything but the casts of `operands` is safe Rust.

mod cumsum;
mod element;
mod half_bits;
mod matmul;
mod operands;
pub mod scalar;
#[cfg(test)]
mod table_test;
#[cfg(test)]
mod testing;

pub use cumsum::cumsum;
pub use element::{Element, Float, Integer};
pub use matmul::{Batch, MatMulElement, MatMulShape, matmul};
pub use operands::{read, write};
