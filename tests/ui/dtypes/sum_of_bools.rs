use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: bool[2]| sum(x) };
}
