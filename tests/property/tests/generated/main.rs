//! The programs that the generator made, compiled by `graph!` and run.
//!
//! `build.rs` prints them; the README says how to choose others.

mod compare;

include!(concat!(env!("OUT_DIR"), "/programs.rs"));
