//! Rust constants as tensors: `const` and `static`, of every dtype.

use graph_runtime::{Config, Session, graph};
use half::{bf16, f16};
use ndarray::array;

const WEIGHTS: [[f32; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
static TABLE: [i64; 4] = [1, -2, i64::MAX, i64::MIN];
const SCALAR: f64 = 0.1;
const MASK: [bool; 3] = [true, false, true];
const HALVES: [f16; 2] = [f16::ONE, f16::NEG_INFINITY];
const BRAINS: [bf16; 2] = [bf16::ONE, bf16::MAX];
const BYTES: [u8; 3] = [0, 128, 255];

struct Holder;

impl Holder {
    const INNER: [[i32; 1]; 2] = [[7], [8]];
}

#[test]
fn constants_of_rust_are_tensors() {
    let g = graph! {
        (
            constant(WEIGHTS: f32[2, 3], name = "weights"),
            constant(TABLE: i64[4]),
            constant(SCALAR: f64[]),
            constant(MASK: bool[3]),
            constant(HALVES: f16[2]),
            constant(BRAINS: bf16[2]),
            constant(BYTES: u8[3]),
            constant(Holder::INNER: i32[2, 1]),
        )
    };
    for gpus in [0, 1] {
        let mut session = Session::new(Config::new().virtual_gpus(gpus)).expect("a session opens");
        let results = session.run(&g, ()).expect("no input");
        assert_eq!(results.0, array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(results.1, array![1, -2, i64::MAX, i64::MIN]);
        assert_eq!(results.2, 0.1);
        assert_eq!(results.3, array![true, false, true]);
        assert_eq!(results.4, array![f16::ONE, f16::NEG_INFINITY]);
        assert_eq!(results.5, array![bf16::ONE, bf16::MAX]);
        assert_eq!(results.6, array![0, 128, 255]);
        assert_eq!(results.7, array![[7], [8]]);
    }
    g.plan().check().expect("the plan is sound");
    assert_eq!(g.plan().nodes[0].name, "weights");
}

#[test]
fn a_static_is_used_where_it_lies() {
    let g = graph! { constant(TABLE: i64[4]) + 0 };
    let data = g.plan().constants[0].data;
    assert!(std::ptr::eq(data.as_ptr(), TABLE.as_ptr().cast()));
}

#[test]
fn literals_have_the_nearest_value_of_their_dtype() {
    // 1 + 2^-24 + 2^-60 rounds up in f32, though the nearest f64 lies halfway and would round down.
    let g = graph! { (
        constant(1.000000059604644776), constant(0.1f64), constant([0.1], dtype = f16), constant(16777217, dtype = f32),
        constant(-0.0), constant(f32::NAN), constant(i64::MIN),
    ) };
    let mut session = Session::new(Config::new()).expect("a session opens");
    let results = session.run(&g, ()).expect("no input");
    assert_eq!(results.0, 1.0f32.next_up());
    assert_eq!(results.1, 0.1f64);
    assert_eq!(results.2, array![f16::from_f32(0.1)]);
    assert_eq!(results.3, 16_777_216.0);
    assert!(results.4 == 0.0 && results.4.is_sign_negative());
    assert!(results.5.is_nan());
    assert_eq!(results.6, i64::MIN);
}
