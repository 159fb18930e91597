use graph_runtime::graph;

fn main() {
    let _g = graph! { zeros([4294967296, 4294967296]) };
}
