use graph_runtime::{Config, Session, graph};
use ndarray::Array1;

fn main() {
    let g = graph! { |x: f32[2, 3]| x + x };
    let mut session = Session::new(Config::new()).unwrap();
    let _ = session.run(&g, &Array1::<f32>::zeros(6));
}
