//! A subscriber of the `log` crate gets the lines of the placement log, and only where it is asked for.

use std::sync::Mutex;

use graph_runtime::{Config, Session, graph};

/// Keeps the messages of the placement log.
struct Lines(Mutex<Vec<String>>);

static LINES: Lines = Lines(Mutex::new(Vec::new()));

impl log::Log for Lines {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target() == "graph_runtime::placement"
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            assert_eq!(record.level(), log::Level::Info);
            self.0.lock().expect("nobody panics here").push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

fn take() -> Vec<String> {
    std::mem::take(&mut LINES.0.lock().expect("nobody panics here"))
}

#[test]
fn the_log_crate_gets_the_lines() -> graph_runtime::Result<()> {
    log::set_logger(&LINES).expect("the only logger");
    log::set_max_level(log::LevelFilter::Info);
    let g = graph! {
        let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
        let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
        matmul(a, b)
    };
    let mut session = Session::new(Config::new().virtual_gpus(1).log_device_placement(true))?;
    assert_eq!(
        take(),
        [
            "Device mapping:",
            "/job:localhost/replica:0/task:0/device:GPU:0 -> device: 0, name: Virtual GPU (run by the CPU), pci bus id: none"
        ]
    );
    session.run(&g, ())?;
    let device = "/job:localhost/replica:0/task:0/device:GPU:0";
    let expected = ["a: (Const)", "b: (Const)", "MatMul: (MatMul)"].map(|node| format!("{node}: {device}"));
    assert_eq!(take(), expected);
    session.run(&g, ())?;
    assert!(take().is_empty(), "a graph is placed once");
    Session::new(Config::new().virtual_gpus(1))?.run(&g, ())?;
    assert!(take().is_empty(), "nobody asked");
    Ok(())
}
