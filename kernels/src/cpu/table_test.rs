//! Each kernel of the table exists, for each of its dtypes, with its signature.

use graph_ir::DType;
use half::{bf16, f16};

use super::{Element, MatMulShape, cumsum, matmul};
use crate::table::{KERNELS, hand_written_kernels};

/// The Rust type of a dtype's name.
macro_rules! element {
    (F32) => {
        f32
    };
    (F64) => {
        f64
    };
    (F16) => {
        f16
    };
    (BF16) => {
        bf16
    };
    (I32) => {
        i32
    };
    (I64) => {
        i64
    };
    (U8) => {
        u8
    };
}

/// A slice type for each name of an operand.
macro_rules! operand {
    (read $name:ident $type:ty) => {
        &[$type]
    };
    (write $name:ident $type:ty) => {
        &mut [$type]
    };
}

/// The Rust type of a parameter.
macro_rules! parameter {
    (Size) => {
        usize
    };
    (Flag) => {
        bool
    };
    (MatMulShape) => {
        &MatMulShape
    };
}

macro_rules! check {
    ($($name:ident $dtypes:tt reads $reads:tt writes $writes:tt parameters $parameters:tt;)+) => {
        [$((stringify!($name), check!(@each $name $dtypes $reads $writes $parameters))),+]
    };
    (@each $name:ident [$($dtype:ident)+] $reads:tt $writes:tt $parameters:tt) => {
        vec![$(check!(@one $name $dtype $reads $writes $parameters)),+]
    };
    // The coercion to a function pointer is the check; it fails to compile where the signature differs.
    (@one $name:ident $dtype:ident [$($read:ident)+] [$($write:ident)+] [$($parameter:ident: $type:ident),*]) => {{
        type Kernel = fn($(operand!(read $read element!($dtype)),)+ $(operand!(write $write element!($dtype)),)+ $(parameter!($type)),*);
        let _: Kernel = $name::<element!($dtype)>;
        (DType::$dtype, <element!($dtype) as Element>::DTYPE)
    }};
}

#[test]
fn every_entry_is_a_function() {
    let functions = hand_written_kernels!(check);
    assert_eq!(functions.len(), KERNELS.len());
    for ((name, dtypes), signature) in functions.iter().zip(KERNELS) {
        assert_eq!(*name, signature.name);
        assert!(dtypes.iter().all(|(listed, stored)| listed == stored), "{name}: {dtypes:?}");
        assert!(dtypes.iter().map(|(listed, _)| listed).eq(signature.dtypes), "{name}: {dtypes:?}");
    }
}
