//! Programs as a Rust file of tests.
//!
//! The file stands in a crate with a module `compare`, which has `session`, `input`, `scalar` and `expect`, and makes
//! one test of each program. Data is written as readable literals, so that a program that fails can be taken out of
//! the file as it is.

use std::fmt::Write;

use crate::dtype::DType;
use crate::generate::{Input, Program};
use crate::tensor::{Element, Tensor};

/// A module holds this many programs, which keeps its items few.
const PROGRAMS_PER_MODULE: usize = 10;

/// The file that tests these programs.
pub fn file(programs: &[Program]) -> String {
    let mut out = String::from("// Printed by the generator of the property tests; do not edit.\n");
    for group in programs.chunks(PROGRAMS_PER_MODULE) {
        let _ = writeln!(out, "\nmod from_{} {{", group[0].seed);
        let text: String = group.iter().map(test).collect();
        // Some modules have no scalar inputs, or no inputs at all.
        let used = ["input", "scalar"].into_iter().filter(|name| text.contains(&format!(" {name}::<")));
        let names = ["expect"].into_iter().chain(used).chain(["session"]).collect::<Vec<_>>();
        let _ = writeln!(out, "    use crate::compare::{{{}}};", names.join(", "));
        out.push_str("    use graph_runtime::graph;\n");
        out.push_str(&indent(&text));
        out.push_str("}\n");
    }
    out
}

fn indent(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { String::from("\n") } else { format!("    {line}\n") })
        .collect()
}

/// One program as a test.
pub fn test(program: &Program) -> String {
    let seed = program.seed;
    let mut out = String::new();
    if program.module.is_some() {
        let _ = write!(out, "\ngraph! {{\n{}}}\n", indent(&program.source));
    }
    let _ = writeln!(out, "\n#[test]\nfn seed_{seed}() {{");
    let mut body = String::new();
    for data in program.inputs.iter().map(input_line) {
        body.push_str(&data);
    }
    match &program.module {
        Some(module) => {
            let _ = writeln!(body, "let session = session();");
            let _ = writeln!(body, "let mut model = {module}::load(&session).expect(\"it loads\");");
            let _ = writeln!(body, "model.run_plan().check().expect(\"the plan is sound\");");
            let _ =
                writeln!(body, "let found = model.run({}).expect(\"it runs\");", feeds(program).join(", "));
        }
        None => {
            let _ = write!(body, "let graph = graph! {{\n{}}};\n", indent(&program.source));
            let _ = writeln!(body, "graph.plan().check().expect(\"the plan is sound\");");
            let inputs = match &feeds(program)[..] {
                [only] => only.clone(),
                feeds => format!("({})", feeds.join(", ")),
            };
            let _ = writeln!(body, "let found = session().run(&graph, {inputs}).expect(\"it runs\");");
        }
    }
    for (i, output) in program.outputs.iter().enumerate() {
        let found = match (&program.output_names, program.outputs.len()) {
            (Some(names), _) => format!("found.{}", names[i]),
            (None, 1) => String::from("found"),
            (None, _) => format!("found.{i}"),
        };
        body.push_str(&expect_line(i, &found, output));
    }
    out.push_str(&indent(&body));
    out.push_str("}\n");
    out
}

fn feeds(program: &Program) -> Vec<String> {
    let is_scalar = |input: &Input| input.tensor.rank() == 0;
    program
        .inputs
        .iter()
        .map(|input| if is_scalar(input) { input.name.clone() } else { format!("&{}", input.name) })
        .collect()
}

/// The Rust type of elements.
fn rust_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "half::f16",
        DType::BF16 => "half::bf16",
        other => other.name(),
    }
}

fn input_line(input: &Input) -> String {
    let (name, tensor) = (&input.name, &input.tensor);
    let element = rust_type(tensor.dtype);
    match (tensor.rank(), &tensor.elements[..]) {
        (0, [only]) => format!("let {name} = scalar::<{element}>({});\n", value(*only)),
        (rank, _) => format!(
            "let {name} = input::<{element}, ndarray::Ix{rank}>(&{:?}, &{});\n",
            tensor.dims,
            values(tensor)
        ),
    }
}

fn expect_line(i: usize, found: &str, output: &Tensor) -> String {
    let element = rust_type(output.dtype);
    let found = match output.rank() {
        0 => format!("ndarray::arr0({found}).view().into_dyn()"),
        _ => format!("{found}.view().into_dyn()"),
    };
    let errors = errors(output);
    format!("expect::<{element}>({i}, {found}, &{:?}, &{}, &{errors});\n", output.dims, values(output))
}

/// `[1.0, f64::NAN]`: floats as f64, integers as i64.
fn values(tensor: &Tensor) -> String {
    let literals: Vec<String> = tensor.elements.iter().map(|&element| value(element)).collect();
    format!("[{}]", literals.join(", "))
}

fn value(element: Element) -> String {
    match element {
        Element::Bool(truth) => truth.to_string(),
        // `-9223372036854775808` is a number of i64, and rustc takes it so.
        Element::Whole(whole) => whole.to_string(),
        Element::Float(real) => match real.value {
            value if value.is_nan() => "f64::NAN".into(),
            f64::INFINITY => "f64::INFINITY".into(),
            f64::NEG_INFINITY => "f64::NEG_INFINITY".into(),
            value => format!("{value:?}"),
        },
    }
}

/// The bounds of the elements, to two digits, rounded up; none where all are certain.
fn errors(tensor: &Tensor) -> String {
    if !tensor.dtype.is_float() || tensor.elements.iter().all(|element| element.float().is_exact()) {
        return String::from("[]");
    }
    let literals: Vec<String> = tensor
        .elements
        .iter()
        .map(|element| match element.float().error {
            0.0 => String::from("0.0"),
            error => format!("{:.1e}", 1.05 * error),
        })
        .collect();
    format!("[{}]", literals.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{errors, file, values};
    use crate::dtype::DType;
    use crate::generate::program;
    use crate::real::Real;
    use crate::tensor::{Element, Tensor};

    #[test]
    fn data_is_written_in_full() {
        let x = Tensor::floats(DType::F32, &[4], &[f64::NAN, -0.0, f64::INFINITY, 0.1]);
        assert_eq!(values(&x), "[f64::NAN, -0.0, f64::INFINITY, 0.1]");
        assert_eq!(errors(&x), "[]");
        let inexact = Element::Float(Real { value: 1.0, error: 3e-7, any_sign: false });
        assert_eq!(errors(&Tensor::new(DType::F32, &[1], vec![inexact])), "[3.2e-7]");
        assert_eq!(values(&Tensor::wholes(DType::I64, &[1], &[i64::MIN])), "[-9223372036854775808]");
    }

    #[test]
    fn a_file_has_a_test_for_each_program() {
        let programs: Vec<_> = (20..45).map(program).collect();
        let text = file(&programs);
        assert_eq!(text.matches("#[test]").count(), 25);
        assert!(text.contains("mod from_40 {") && text.contains("fn seed_44() {"));
        let opened = text.matches(['{', '(', '[']).count();
        assert_eq!(opened, text.matches(['}', ')', ']']).count());
    }
}
