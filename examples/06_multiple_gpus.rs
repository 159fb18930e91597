//! Using multiple GPUs: the same computation in a tower on each, the sum on the CPU.
//!
//! The loop is unrolled at build time. Each tower is a lane of its own in the plan; what crosses from a GPU to the CPU
//! is copied there once its tower has signalled.

use graph_runtime::{Config, Session, graph};

fn main() -> graph_runtime::Result<()> {
    println!("Without GPUs this example runs on 4 virtual ones: the CPU, with a memory for each.");
    let g = graph! {
        let c = for d in ["/device:GPU:2", "/device:GPU:3"] {
            device(d) {
                let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
                let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
                matmul(a, b)
            }
        };
        device("/cpu:0") { add_n(c) }
    };
    let mut session = Session::new(Config::new().virtual_gpus(4).log_device_placement(true))?;
    let sum = session.run(&g, ())?;
    println!("{sum}");

    assert_eq!(sum, ndarray::array![[44.0, 56.0], [98.0, 128.0]]);
    let log = session.placement(&g)?.to_string();
    assert_eq!(
        log,
        "Const: (Const): /job:localhost/replica:0/task:0/device:GPU:2\n\
         Const_1: (Const): /job:localhost/replica:0/task:0/device:GPU:2\n\
         MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:2\n\
         Const_2: (Const): /job:localhost/replica:0/task:0/device:GPU:3\n\
         Const_3: (Const): /job:localhost/replica:0/task:0/device:GPU:3\n\
         MatMul_1: (MatMul): /job:localhost/replica:0/task:0/device:GPU:3\n\
         AddN: (AddN): /job:localhost/replica:0/task:0/device:CPU:0\n"
    );
    Ok(())
}
