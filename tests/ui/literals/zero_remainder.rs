use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: i64[2]| x % 0 };
}
