use graph_runtime::graph;

graph! {
    pub mod net {
        pub fn f(x) { x }
    }
}

fn main() {}
