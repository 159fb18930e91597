//! Prints every stage of a graph: `cargo run -p graph-compiler --example explain -- graph.txt`, or the text on stdin.

use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
    };
    let tokens = text.parse::<proc_macro2::TokenStream>().map_err(|error| error.to_string())?;
    print!("{}", graph_compiler::explain(tokens));
    Ok(())
}
