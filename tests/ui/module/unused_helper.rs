#![deny(unused)]

use graph_runtime::graph;

graph! {
    pub mod net {
        fn unused(x) { x + x }
        pub fn f(x: f32[2]) -> f32[2] { x }
    }
}

fn main() {
    let _ = net::load;
}
