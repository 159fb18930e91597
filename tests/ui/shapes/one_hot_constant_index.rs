use graph_runtime::graph;

fn main() {
    let _g = graph! { one_hot([0, 5], 3) };
}
