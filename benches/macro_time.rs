//! What the macro costs a user: the time of an incremental debug build of a program with one graph of n nodes, macro
//! unoptimised, rustc and the linker included; beside it the same program without a graph. And the plan's size.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

const NODES: [usize; 4] = [10, 100, 1000, 5000];

/// A program with a graph of about `nodes` nodes: elementwise ops, products and reductions in turn.
fn program(nodes: usize) -> String {
    if nodes == 0 {
        return String::from("fn main() { println!(\"0 0\"); }\n");
    }
    let mut text =
        String::from("fn main() {\n    let g = graph_runtime::graph! { |x: f32[32, 32], y: f32[32, 32]|\n");
    text.push_str("        let v0 = x + y;\n");
    for i in 1..nodes {
        let last = i - 1;
        text.push_str(&match i % 4 {
            0 => format!("        let v{i} = matmul(v{last}, y);\n"),
            1 => format!("        let v{i} = tanh(v{last});\n"),
            2 => format!("        let v{i} = v{last} * x;\n"),
            _ => format!("        let v{i} = v{last} - mean(v{last}, axis = 1, keepdims = true);\n"),
        });
    }
    text.push_str(&format!("        v{}\n    }};\n", nodes - 1));
    text.push_str("    println!(\"{} {}\", g.plan().nodes.len(), g.plan().bytes());\n}\n");
    text
}

fn project() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("macro_time");
    std::fs::create_dir_all(folder.join("src")).expect("the target folder is writable");
    let manifest = format!(
        "[package]\nname = \"macro_time\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
         graph-runtime = {{ path = {:?} }}\n[workspace]\n",
        root.join("graph-runtime")
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("writable");
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("writable");
    folder
}

fn build(folder: &Path) -> Duration {
    // A new modification time makes cargo build the program, and only it, once more.
    let source = folder.join("src/main.rs");
    let text = std::fs::read(&source).expect("readable");
    std::fs::write(&source, text).expect("writable");
    let start = Instant::now();
    let status =
        Command::new(env!("CARGO")).args(["build", "--quiet", "--offline"]).current_dir(folder).status();
    assert!(status.expect("cargo runs").success());
    start.elapsed()
}

fn macro_time(c: &mut Criterion) {
    let folder = project();
    let mut group = c.benchmark_group("macro_time");
    group.sample_size(10).measurement_time(Duration::from_secs(1));
    for nodes in [0].into_iter().chain(NODES) {
        std::fs::write(folder.join("src/main.rs"), program(nodes)).expect("writable");
        build(&folder);
        let run = Command::new(folder.join("target/debug/macro_time")).output().expect("it was built");
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap_or(0.0));
        let (made, bytes) = (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0));
        if made > 0.0 {
            println!(
                "{nodes} statements: {made} nodes, plan of {bytes} bytes, {:.0} bytes a node",
                bytes / made
            );
        }
        group.bench_with_input(BenchmarkId::from_parameter(nodes), &nodes, |b, _| {
            b.iter_custom(|iterations| (0..iterations).map(|_| build(&folder)).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, macro_time);
criterion_main!(benches);
