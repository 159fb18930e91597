//! Hand-written kernels, and the arithmetic that generated kernels are made of.
//!
//! [`table`] says which kernels exist, with their dtypes and argument order; the compiler needs no more and takes
//! this crate without features. With the feature `cpu`, [`cpu`] holds the kernels themselves.

pub mod table;

#[cfg(feature = "cpu")]
pub mod cpu;
