use graph_runtime::graph;

fn main() {
    let _g = graph! {
        |x: f32[2]| { let y = device("/gpu:0") { x + x }; colocate_with(y) { device("/gpu:1") { y * y } } }
    };
}
