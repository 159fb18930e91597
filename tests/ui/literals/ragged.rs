use graph_runtime::graph;

fn main() {
    let _g = graph! { constant([[1.0, 2.0], [3.0]]) };
}
