use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f23[2]| x };
}
