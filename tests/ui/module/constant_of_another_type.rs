use graph_runtime::graph;

const W: [[f32; 3]; 2] = [[0.0; 3]; 2];

fn main() {
    let _g = graph! { constant(W: f32[3, 2]) };
}
