//! Prints the tests of the chosen seeds into `OUT_DIR`. A build script cannot use the library of its own package, so
//! that it compiles the modules again.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "the modules are those of the library; the script calls a small part of what they offer"
)]

#[path = "src/dtype.rs"]
mod dtype;
#[path = "src/evaluate/mod.rs"]
mod evaluate;
#[path = "src/generate/mod.rs"]
mod generate;
#[path = "src/real.rs"]
mod real;
#[path = "src/seeds.rs"]
mod seeds;
#[path = "src/tensor.rs"]
mod tensor;
#[path = "src/write.rs"]
mod write;

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-env-changed={}", seeds::VARIABLE);
    let range = match std::env::var(seeds::VARIABLE) {
        Ok(text) => seeds::parse(&text)?,
        Err(_) => seeds::DEFAULT,
    };
    let programs: Vec<generate::Program> = range.map(generate::program).collect();
    let file = PathBuf::from(std::env::var("OUT_DIR")?).join("programs.rs");
    std::fs::write(file, write::file(&programs))?;
    Ok(())
}
