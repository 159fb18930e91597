use graph_runtime::graph;

fn main() {
    let _g = graph! {
        |x: f32[2, 3], y: f32[2, 3]| {
        let a = device("/cuda:0") { matmul(x, y) };
        let b = rleu(a);
        let c = sum(x, axis = 5);
        let d = a + unknown;
        x + cast(y, f64)
    }
    };
}
