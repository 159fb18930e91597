//! Bad input at run time is an error that names the thing, and the session stays usable.

use graph_runtime::{Code, Config, Session, graph};
use ndarray::{Array1, Array2, array};

fn session() -> Session {
    Session::new(Config::new().virtual_gpus(2)).expect("a session opens")
}

#[test]
fn a_wrong_input_shape_names_input_and_both_shapes() {
    let g = graph! { |weights: f32[2, 3]| weights + weights };
    let mut session = session();
    let error = session.run(&g, &Array2::<f32>::zeros((3, 2))).expect_err("the shape is wrong");
    assert_eq!(error.code(), Code::InvalidArgument);
    assert_eq!(
        error.to_string(),
        "InvalidArgument: input `weights` of `graph` is f32[2, 3], and an array of shape [3, 2] is given"
    );
    assert!(session.run(&g, &Array2::<f32>::zeros((2, 3))).is_ok(), "the session stays usable");
}

#[test]
fn a_wrong_output_shape_names_the_output() {
    let g = graph! { |x: f32[2]| x + x };
    let mut out = Array1::<f32>::zeros(3);
    let error = session().run_into(&g, &[1.0f32, 2.0], &mut out).expect_err("the shape is wrong");
    assert_eq!(error.code(), Code::InvalidArgument);
    assert!(
        error.to_string().contains("output 0 of `graph` is f32[2], and an array of shape [3]"),
        "{error}"
    );
    assert_eq!(out, array![0.0, 0.0, 0.0], "nothing is written");
}

#[test]
fn an_index_out_of_range_names_node_value_and_bound() {
    let g = graph! { |x: f32[3, 2], i: i32[2]| gather(x, i, name = "pick") };
    let mut session = session();
    let x = array![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    for wrong in [3, -1, i32::MIN, i32::MAX] {
        let error = session.run(&g, (&x, &[0, wrong])).expect_err("the index is out of range");
        assert_eq!(error.code(), Code::OutOfRange);
        let text = error.to_string();
        assert!(text.contains("`pick`"), "{text}");
        assert!(text.contains(&format!("index {wrong} is not in 0..3")), "{text}");
        assert!(text.contains("tests/run_errors.rs:"), "{text}");
    }
    assert_eq!(session.run(&g, (&x, &[2, 0])).expect("in range"), array![[5.0, 6.0], [1.0, 2.0]]);
}

#[test]
fn one_hot_of_an_index_out_of_range_is_an_error() {
    let g = graph! { |i: i64[2]| one_hot(i, 3) };
    let mut session = session();
    let error = session.run(&g, &[0i64, 3]).expect_err("the index is out of range");
    assert_eq!(error.code(), Code::OutOfRange);
    assert_eq!(session.run(&g, &[2i64, 0]).expect("in range"), array![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
}

#[test]
fn a_missing_device_names_node_request_and_what_exists() {
    let g = graph! { device("/device:GPU:5") { matmul(zeros([2, 2]), ones([2, 2])) } };
    let mut session = session();
    let error = session.run(&g, ()).expect_err("there are two GPUs");
    assert_eq!(error.code(), Code::InvalidArgument);
    let text = error.to_string();
    for part in
        ["MatMul", "/device:GPU:5", "device:CPU:0", "device:GPU:0", "device:GPU:1", "tests/run_errors.rs"]
    {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    let other = graph! { device("/device:GPU:1") { zeros([2]) } };
    assert_eq!(session.run(&other, ()).expect("GPU:1 is there"), array![0.0, 0.0]);
}

#[test]
fn too_little_memory_is_an_error_before_anything_runs() {
    let g = graph! { |x: f32[512, 512]| matmul(x, x) };
    let mut session =
        Session::new(Config::new().virtual_gpus(1).virtual_gpu_memory(1 << 20)).expect("a session opens");
    let x = Array2::<f32>::zeros((512, 512));
    let error = session.run(&g, &x).expect_err("2 MiB do not fit in 1 MiB");
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert!(error.to_string().contains("device:GPU:0"), "{error}");
    let small = graph! { |x: f32[16, 16]| matmul(x, x) };
    assert!(session.run(&small, &Array2::<f32>::zeros((16, 16))).is_ok(), "the session stays usable");
}
