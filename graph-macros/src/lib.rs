//! The `graph!` macro.
