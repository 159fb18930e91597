use graph_runtime::{Config, Session, graph};
use ndarray::Array1;

graph! {
    pub mod net {
        pub fn f(x: f32[2]) -> (y: f32[2], z: f32) { (y: relu(x, x), z: sum(x)) }
    }
}

fn main() {
    let session = Session::new(Config::new()).unwrap();
    let mut model = net::load(&session).unwrap();
    let results = model.f(&Array1::zeros(2)).unwrap();
    println!("{} {}", results.y, results.z);
}
