use graph_runtime::graph;

fn main() {
    let _g = graph! { constant([3000000000]) };
}
