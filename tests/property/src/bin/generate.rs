//! Prints the tests of some programs: `generate 1000..1100`, or of one: `generate 17`. Without a range, the default.

use graph_property_tests::{generate, seeds, write};

fn main() -> Result<(), String> {
    let range = match std::env::args().nth(1) {
        Some(text) => seeds::parse(&text)?,
        None => seeds::DEFAULT,
    };
    let programs: Vec<generate::Program> = range.map(generate::program).collect();
    print!("{}", write::file(&programs));
    Ok(())
}
