//! The programs that the generator made, compiled by `graph!` and run.
//!
//! `build.rs` prints them; the README says how to choose others.

mod compare;

#[allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "expected values are printed as computed"
)]
mod programs {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}
