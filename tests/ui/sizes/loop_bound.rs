use graph_runtime::graph;

fn main() {
    let _g = graph! { |n: i32[], x: f32[2]| for i in 0..n { x } };
}
