//! Logging device placement: which device each op runs on.
//!
//! `log_device_placement(true)` prints the devices when the session is made, and one line a node when a graph is
//! loaded, to stderr and to the `log` crate.

use graph_runtime::{Config, Session, graph};

fn main() -> graph_runtime::Result<()> {
    println!("Without GPUs this example runs on a virtual one: the CPU, with a memory of its own.");
    let g = graph! {
        let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
        let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
        matmul(a, b)
    };
    let mut session = Session::new(Config::new().virtual_gpus(1).log_device_placement(true))?;
    let c = session.run(&g, ())?;
    println!("{c}");

    assert_eq!(c, ndarray::array![[22.0, 28.0], [49.0, 64.0]]);
    let log = session.placement(&g)?.to_string();
    assert_eq!(
        log,
        "a: (Const): /job:localhost/replica:0/task:0/device:GPU:0\n\
         b: (Const): /job:localhost/replica:0/task:0/device:GPU:0\n\
         MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:0\n"
    );
    Ok(())
}
