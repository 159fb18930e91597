use graph_runtime::graph;

fn main() {
    let _g = graph! { constant([-1], dtype = u8) };
}
