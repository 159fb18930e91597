#![deny(unused)]

use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| add_n(for i in 0..2 { x + x }) };
}
