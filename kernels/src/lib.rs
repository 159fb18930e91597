//! Hand-written kernels.
