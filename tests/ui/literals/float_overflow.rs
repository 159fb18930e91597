use graph_runtime::graph;

fn main() {
    let _g = graph! { constant([1e39]) };
}
