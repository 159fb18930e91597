//! Supported devices: which ones there are, what they are called, and which one is the default.
//!
//! `/device:CPU:0` is the CPU, `/device:GPU:0` the first GPU. An op that can run on both goes to the GPU when nothing
//! else is asked for.

use graph_runtime::{Config, Session, graph};

fn main() -> graph_runtime::Result<()> {
    println!("Without GPUs this example runs on 2 virtual ones: the CPU, with a memory for each.\n");

    println!("With 2 virtual GPUs:");
    let mut session = Session::new(Config::new().virtual_gpus(2))?;
    println!("{}", session.list_devices());

    let g = graph! {
        let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
        let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
        matmul(a, b)
    };
    let placement = session.placement(&g)?;
    println!("MatMul runs on {}", placement.device("MatMul").unwrap_or("nothing"));
    assert_eq!(placement.device("MatMul"), Some("/job:localhost/replica:0/task:0/device:GPU:0"));
    assert_eq!(session.run(&g, ())?, ndarray::array![[22.0, 28.0], [49.0, 64.0]]);

    println!("\nWith the CPU alone:");
    let mut session = Session::new(Config::new().virtual_gpus(0))?;
    println!("{}", session.list_devices());
    let placement = session.placement(&g)?;
    println!("MatMul runs on {}", placement.device("MatMul").unwrap_or("nothing"));
    assert_eq!(placement.device("MatMul"), Some("/job:localhost/replica:0/task:0/device:CPU:0"));
    assert_eq!(session.run(&g, ())?, ndarray::array![[22.0, 28.0], [49.0, 64.0]]);
    Ok(())
}
