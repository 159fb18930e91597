//! Random graph programs with their expected results.
//!
//! [`generate::program`] makes a valid `graph!` program from a seed: its text, the data of its inputs, and what it
//! must give. The last comes from [`evaluate`], a slow evaluator that shares no code with the compiler and is written
//! from the definitions of the ops alone. [`write::file`] prints programs as a Rust file of tests; `build.rs` compiles
//! these very modules to do that at `cargo test`.

pub mod dtype;
pub mod evaluate;
pub mod generate;
pub mod real;
pub mod seeds;
pub mod tensor;
pub mod write;
