use graph_runtime::{Config, Session, graph};

fn main() {
    let g = graph! { |x: f32[2], y: f32[2]| x + y };
    let mut session = Session::new(Config::new()).unwrap();
    let _ = session.run(&g, &[1.0f32, 2.0]);
}
