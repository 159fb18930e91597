use graph_runtime::graph;

fn main() {
    let _g = graph! {
        |x: f32[2, 3]| {
        let a = x as f64;
        let b = matmul(x, x);
        b
    }
    };
}
