#![deny(unused)]

use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2], unused: f32[2]| x };
}
