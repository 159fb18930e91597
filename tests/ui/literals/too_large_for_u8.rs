use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: u8[2]| x + 300 };
}
