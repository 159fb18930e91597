//! Using a single GPU on a multi-GPU system: a device that is named must be there, unless placement is soft.

use graph_runtime::{Code, Config, Session, graph};
use ndarray::array;

fn main() -> graph_runtime::Result<()> {
    println!("Without GPUs this example runs on 2 virtual ones: the CPU, with a memory for each.\n");
    let g = graph! {
        device("/device:GPU:1") {
            let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
            let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
            matmul(a, b)
        }
    };
    let mut session = Session::new(Config::new().virtual_gpus(2))?;
    println!("On /device:GPU:1:\n{}\n", session.run(&g, ())?);

    let missing = graph! {
        device("/device:GPU:2") {
            let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
            let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
            matmul(a, b)
        }
    };
    let error = session.run(&missing, ()).expect_err("there are two GPUs");
    println!("On /device:GPU:2, which is not there:\n{error}\n");
    assert_eq!(error.code, Code::InvalidArgument);
    for part in ["MatMul", "/device:GPU:2", "device:CPU:0", "device:GPU:0", "device:GPU:1"] {
        assert!(error.to_string().contains(part), "the error names {part}");
    }

    println!("The same with allow_soft_placement(true):");
    let config = Config::new().virtual_gpus(2).allow_soft_placement(true).log_device_placement(true);
    let mut session = Session::new(config)?;
    let c = session.run(&missing, ())?;
    println!("{c}");
    assert_eq!(c, array![[22.0, 28.0], [49.0, 64.0]]);
    let placement = session.placement(&missing)?;
    assert_eq!(placement.device("MatMul"), Some("/job:localhost/replica:0/task:0/device:GPU:0"));
    Ok(())
}
