#![deny(unused)]

use graph_runtime::graph;

graph! {
    pub mod net {
        const UNUSED: usize = 3;
        pub fn f(x: f32[2]) -> f32[2] { x }
    }
}

fn main() {
    let _ = net::load;
}
