//! Runs the plans that `graph!` compiles.
