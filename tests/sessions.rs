//! Sessions: several graphs in one, several in threads, after errors, and what they leave behind.

use std::thread;

use graph_runtime::{Code, Config, GpuOptions, Session, graph};
use ndarray::{Array2, array};

const GPU: &str = "/device:GPU:0";

#[test]
fn several_graphs_in_one_session() -> graph_runtime::Result<()> {
    let add = graph! { |x: f32[2], y: f32[2]| x + y };
    let mul = graph! { |x: f32[2], y: f32[2]| device("/gpu:1") { x * y } };
    let length = graph! { |x: f32[2]| sqrt(sum(x * x)) };
    let mut session = Session::new(Config::new().virtual_gpus(2))?;
    for i in 0..20 {
        let (x, y) = ([i as f32, 4.0], [3.0, i as f32]);
        assert_eq!(session.run(&add, (&x, &y))?, array![x[0] + y[0], x[1] + y[1]]);
        assert_eq!(session.run(&mul, (&x, &y))?, array![x[0] * y[0], x[1] * y[1]]);
        assert_eq!(session.run(&length, &[3.0, 4.0])?, 5.0);
    }
    Ok(())
}

#[test]
fn one_graph_in_many_threads() {
    let g = graph! { |x: f32[64, 64]| {
        let y = device("/gpu:0") { matmul(x, x) };
        let z = device("/gpu:1") { tanh(x) + y };
        sum(z)
    } };
    let x = Array2::from_shape_fn((64, 64), |(i, j)| ((i * 7 + j * 3) % 11) as f32 * 0.01);
    let mut first = Session::new(Config::new().virtual_gpus(2)).expect("a session opens");
    let expected = first.run(&g, &x).expect("the shape fits");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut session = Session::new(Config::new().virtual_gpus(2)).expect("a session opens");
                for _ in 0..25 {
                    assert_eq!(session.run(&g, &x).expect("the shape fits"), expected);
                }
            });
        }
    });
}

#[test]
fn a_session_and_a_loaded_graph_move_to_another_thread() -> graph_runtime::Result<()> {
    let g = graph! { |x: f32[3]| device("/gpu:0") { cumsum(x) } };
    let mut session = Session::new(Config::new().virtual_gpus(1))?;
    session.run(&g, &[1.0, 2.0, 3.0])?;
    let mut loaded = session.load(&g)?;
    let handle = thread::spawn(move || (session.run(&g, &[1.0, 1.0, 1.0]), session));
    assert_eq!(loaded.run(&[2.0, 2.0, 2.0])?, array![2.0, 4.0, 6.0]);
    let (result, session) = handle.join().expect("the thread ends well");
    assert_eq!(result?, array![1.0, 2.0, 3.0]);
    drop(session);
    // The devices live as long as what runs on them.
    assert_eq!(loaded.run(&[1.0, 0.0, 1.0])?, array![1.0, 1.0, 2.0]);
    Ok(())
}

#[test]
fn a_session_is_usable_after_each_kind_of_error() -> graph_runtime::Result<()> {
    let rows = graph! { |x: f32[4, 2], at: i32[3]| device("/gpu:0") { gather(x, at) } };
    let missing = graph! { |x: f32[2]| device("/gpu:7") { x + x } };
    let large = graph! { |x: f32[1024]| device("/gpu:0") { sum(matmul(reshape(x, [1024, 1]), reshape(x, [1, 1024]))) } };
    let config = Config::new().virtual_gpus(1).gpu_options(GpuOptions::new().memory_limit(1 << 20));
    let mut session = Session::new(config)?;
    let x = array![[0.0f32, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]];
    let right = array![[6.0, 7.0], [0.0, 1.0], [2.0, 3.0]];
    assert_eq!(session.run(&rows, (&x, &[3, 0, 1]))?, right);
    let in_use = session.memory(GPU)?.in_use;

    let error = session.run(&rows, (&x.t(), &[3, 0, 1])).expect_err("the shape is wrong");
    assert_eq!(error.code, Code::InvalidArgument);
    assert!(
        error.message.contains("`x`") && error.message.contains("[4, 2]") && error.message.contains("[2, 4]"),
        "{error}"
    );
    assert_eq!(session.run(&rows, (&x, &[3, 0, 1]))?, right);

    let error = session.run(&rows, (&x, &[3, 4, 1])).expect_err("row 4 of 4");
    assert_eq!(error.code, Code::OutOfRange);
    assert!(
        error.message.contains("`GatherV2`") && error.message.contains("index 4 is not in 0..4"),
        "{error}"
    );
    assert_eq!(session.run(&rows, (&x, &[3, 0, 1]))?, right);

    assert_eq!(session.run(&missing, &[1.0, 2.0]).expect_err("no GPU 7").code, Code::InvalidArgument);
    let error = session.run(&large, &[0.0; 1024]).expect_err("1 MiB is too little");
    assert_eq!(error.code, Code::ResourceExhausted);
    assert!(error.message.contains("GPU:0") && error.message.contains("1 MiB"), "{error}");
    assert_eq!(session.memory(GPU)?.in_use, in_use, "a graph that was refused holds nothing");
    assert_eq!(session.run(&rows, (&x, &[3, 0, 1]))?, right);
    Ok(())
}

#[test]
fn memory_comes_back_when_what_uses_it_is_dropped() -> graph_runtime::Result<()> {
    let g = graph! { |x: f32[256, 256]| device("/gpu:0") { sum(matmul(x, x)) } };
    let session = Session::new(Config::new().virtual_gpus(1))?;
    assert_eq!(session.memory(GPU)?.in_use, 0);
    let one = session.load(&g)?;
    let used = session.memory(GPU)?.in_use;
    assert!(used >= 2 * 256 * 256 * 4, "input and product: {used}");
    let two = session.load(&g)?;
    assert_eq!(session.memory(GPU)?.in_use, 2 * used);
    drop(one);
    assert_eq!(session.memory(GPU)?.in_use, used);
    drop(two);
    let info = session.memory(GPU)?;
    assert_eq!((info.in_use, info.peak_in_use), (0, 2 * used));
    Ok(())
}

#[test]
fn soft_placement_drops_type_and_index_alone() -> graph_runtime::Result<()> {
    let gpu = graph! { |x: f32[2]| device("/gpu:5") { x + x } };
    let cpu = graph! { |x: f32[2]| device("/cpu:3") { x + x } };
    let worker = graph! { |x: f32[2]| device("/job:worker/gpu:0") { x + x } };
    for (gpus, device) in [
        (2, "/job:localhost/replica:0/task:0/device:GPU:0"),
        (0, "/job:localhost/replica:0/task:0/device:CPU:0"),
    ] {
        let mut soft = Session::new(Config::new().virtual_gpus(gpus).allow_soft_placement(true))?;
        for g in [&gpu, &cpu] {
            assert_eq!(soft.placement(g)?.device("add"), Some(device));
            assert_eq!(soft.run(g, &[1.0, 2.0])?, array![2.0, 4.0]);
        }
        let error = soft.run(&worker, &[1.0, 2.0]).expect_err("another process");
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.contains("/job:worker"), "{error}");
        let mut hard = Session::new(Config::new().virtual_gpus(gpus))?;
        for g in [&gpu, &cpu] {
            assert_eq!(hard.run(g, &[1.0, 2.0]).expect_err("no such device").code, Code::InvalidArgument);
        }
    }
    Ok(())
}
