use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: i32[2]| mean(x) };
}
