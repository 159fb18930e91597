//! Allowing GPU memory growth: how much of a GPU's memory a session takes.
//!
//! Left alone, a session takes exactly what its loaded graphs need, in one block a device: the compiler knows the number.
//! `allow_growth(true)` starts small and grows as TensorFlow does; `allow_growth(false)` takes everything it may at once;
//! `per_process_gpu_memory_fraction` is the share of the device's memory that a session may take at all.

use graph_runtime::{Code, Config, GpuOptions, Session, graph};
use ndarray::Array2;

const GPU: &str = "/device:GPU:0";
const MIB: u64 = 1 << 20;

fn main() -> graph_runtime::Result<()> {
    println!("Without GPUs this example runs on a virtual one: the CPU, with 64 MiB of its own.\n");
    let g = graph! { |x: f32[512, 512]| device("/gpu:0") { matmul(x, x) + x } };
    let x = Array2::<f32>::eye(512);
    let config = || Config::new().virtual_gpus(1).virtual_gpu_memory(64 * MIB);
    println!("The plan needs {} bytes on the GPU.", g.plan().slots[0].arena_bytes);

    let mut session = Session::new(config())?;
    session.run(&g, &x)?;
    let exact = session.memory(GPU)?;
    println!("Left alone:                       {exact}");
    assert_eq!(exact.reserved, g.plan().slots[0].arena_bytes);

    let mut session = Session::new(config().gpu_options(GpuOptions::new().allow_growth(true)))?;
    session.run(&g, &x)?;
    let grown = session.memory(GPU)?;
    println!("allow_growth(true):               {grown}");
    assert!(grown.reserved >= exact.reserved && grown.reserved < 64 * MIB);

    let mut session = Session::new(config().gpu_options(GpuOptions::new().allow_growth(false)))?;
    session.run(&g, &x)?;
    let whole = session.memory(GPU)?;
    println!("allow_growth(false):              {whole}");
    assert_eq!(whole.reserved, 64 * MIB);

    let options = GpuOptions::new().allow_growth(false).per_process_gpu_memory_fraction(0.4);
    let mut session = Session::new(config().gpu_options(options))?;
    session.run(&g, &x)?;
    let part = session.memory(GPU)?;
    println!("fraction 0.4, allow_growth(false): {part}");
    assert_eq!(part.limit, Some(64 * MIB * 2 / 5));
    assert!(part.reserved <= 64 * MIB * 2 / 5);

    let options = GpuOptions::new().per_process_gpu_memory_fraction(0.01);
    let mut session = Session::new(config().gpu_options(options))?;
    let error = session.run(&g, &x).expect_err("the plan needs more than 1 % of 64 MiB");
    println!("\nfraction 0.01, before anything runs:\n  {error}");
    assert_eq!(error.code, Code::ResourceExhausted);
    Ok(())
}
