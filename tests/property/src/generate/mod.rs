//! Random valid programs with their expected results.
//!
//! A program is a function of its seed, and stays one: SplitMix64, no clock, no maps with an order of their own. Each
//! program has a few ops that it must contain, chosen by its seed in turn from [`catalogue::pairs`], so that a row of
//! seeds covers every op with every dtype; the rest is random.

mod blocks;
pub mod catalogue;
mod data;
mod operations;
mod random;
mod recipe;
mod state;
mod text;

use crate::dtype::DType;
use crate::tensor::Tensor;
use blocks::Helper;
use random::Random;
use state::Generator;
pub use state::Input;

/// How many ops of the catalogue a program must contain.
const FOCUS: usize = 5;

/// Neighbours in the catalogue are alike: a program takes pairs that lie apart. The pairs are no multiple of it.
const STRIDE: usize = 101;

/// An op is tried this often with random operands, then this often with tame ones.
const ATTEMPTS: usize = 12;
const TAME_ATTEMPTS: usize = 60;

/// The ops without operands.
const CONSTANTS: [&str; 6] = ["constant", "zeros", "ones", "fill", "range", "eye"];

/// A graph program with its data.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// What stands between the braces of `graph! { … }`.
    pub source: String,
    /// The name of its module, for a program in module form; its entry is `run`.
    pub module: Option<String>,
    /// The inputs in order.
    pub inputs: Vec<Input>,
    /// The results in order.
    pub outputs: Vec<Tensor>,
    /// The names of the results, where they are named.
    pub output_names: Option<Vec<String>>,
    /// The ops in it, with the dtypes that the catalogue speaks of.
    pub covered: Vec<(&'static str, DType)>,
}

/// The program of a seed.
///
/// # Panics
/// When an op could not be written in many attempts: a bug of the generator.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator::new(Random::new(seed));
    generator.angles = generator.random.chance(25);
    let module = generator.random.chance(25).then(|| format!("program_{seed}"));
    let helpers = match module {
        Some(_) => generator.helpers(),
        None => Vec::new(),
    };
    // Every tenth program is tiny; the others have their share of the catalogue.
    if seed % 10 == 9 {
        let count = 1 + generator.random.below(3);
        (0..count).for_each(|_| generator.random_op());
    } else {
        let pairs = catalogue::pairs();
        let share = (seed - seed / 10) as usize * FOCUS;
        for i in 0..FOCUS {
            let (op, dtype) = pairs[(share + i) * STRIDE % pairs.len()];
            generator.must(op, dtype);
            for _ in 0..generator.random.below(4) {
                generator.statement(&helpers);
            }
        }
    }
    finish(generator, seed, module, &helpers)
}

impl Generator {
    /// Writes a call of this op.
    fn must(&mut self, op: &'static str, dtype: DType) {
        for attempt in 0..ATTEMPTS + TAME_ATTEMPTS {
            let saved = self.state.clone();
            self.tame = attempt >= ATTEMPTS;
            let made = self.attempt(op, dtype);
            self.tame = false;
            if made.is_some() {
                return;
            }
            self.state = saved;
        }
        panic!("`{op}` of {} could not be written", dtype.name());
    }

    fn random_op(&mut self) {
        let (op, dtype) = self.random_pair();
        self.must(op, dtype);
    }

    /// An op that is likely to take a value that nobody used yet, so that programs grow deep.
    fn random_pair(&mut self) -> (&'static str, DType) {
        let pairs = catalogue::pairs();
        let Some(dtype) = self.unused_dtype().filter(|_| self.random.chance(80)) else {
            return self.random.choose(&pairs);
        };
        // Constants take nothing.
        let own: Vec<(&'static str, DType)> =
            pairs.into_iter().filter(|(op, own)| *own == dtype && !CONSTANTS.contains(op)).collect();
        self.random.choose(&own)
    }
}

fn finish(mut generator: Generator, seed: u64, module: Option<String>, helpers: &[Helper]) -> Program {
    let (lines, leaves) = generator.close(5);
    let outputs: Vec<Tensor> = leaves.iter().map(|value| (*value.tensor).clone()).collect();
    let random = &mut generator.random;
    let texts: Vec<String> = leaves.iter().map(|value| value.text.clone()).collect();
    let names = (random.chance(12))
        .then(|| (0..outputs.len()).map(|i| format!("result_{i}")).collect::<Vec<String>>());
    let tail = match (&names, &texts[..]) {
        (Some(names), texts) => {
            let fields: Vec<String> =
                names.iter().zip(texts).map(|(name, text)| format!("{name}: {text}")).collect();
            format!("({})", fields.join(", "))
        }
        (None, [only]) => only.clone(),
        (None, texts) => format!("({})", texts.join(", ")),
    };
    let inputs = generator.state.inputs.clone();
    let parameters: Vec<String> = inputs
        .iter()
        .map(|input| format!("{}: {}", input.name, text::type_of(random, &input.tensor)))
        .collect();
    let body = [lines, vec![tail]].concat();
    let result_types: Vec<String> = outputs.iter().map(|output| text::type_of(random, output)).collect();
    let source = match &module {
        None => expression(&parameters, body),
        Some(name) => {
            let result = match &result_types[..] {
                _ if names.is_some() || random.chance(50) => String::new(),
                [only] => format!(" -> {only}"),
                types => format!(" -> ({})", types.join(", ")),
            };
            // The compiler warns of helpers that nobody calls.
            let text = body.join("\n");
            let called = helpers.iter().filter(|helper| text.contains(helper.name()));
            let mut items: Vec<String> = called.flat_map(Helper::lines).collect();
            items.push(format!("pub fn run({}){result} {{", parameters.join(", ")));
            items.extend(blocks::indented(body));
            items.push("}".into());
            [vec![format!("pub mod {name} {{")], blocks::indented(items), vec!["}".into()]]
                .concat()
                .join("\n")
        }
    };
    Program {
        seed,
        source,
        module,
        inputs,
        outputs,
        output_names: names,
        covered: std::mem::take(&mut generator.state.covered),
    }
}

fn expression(parameters: &[String], body: Vec<String>) -> String {
    let head = format!("|{}|", parameters.join(", "));
    match &body[..] {
        _ if parameters.is_empty() => body.join("\n"),
        [only] => format!("{head} {only}"),
        _ => [vec![format!("{head} {{")], blocks::indented(body), vec!["}".into()]].concat().join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{STRIDE, catalogue, program};
    use crate::dtype::DType;
    use crate::seeds;

    #[test]
    fn a_seed_is_a_program() {
        for seed in [0, 7, 123_456_789] {
            let (once, again) = (program(seed), program(seed));
            assert_eq!(once.source, again.source);
            assert_eq!(format!("{:?}", once.outputs), format!("{:?}", again.outputs));
        }
        assert_ne!(program(1).source, program(2).source);
    }

    #[test]
    fn the_stride_reaches_every_pair() {
        assert!(!catalogue::pairs().len().is_multiple_of(STRIDE));
    }

    #[test]
    fn the_default_seeds_cover_every_op_with_every_dtype() {
        let mut covered = BTreeSet::new();
        for seed in seeds::DEFAULT {
            covered.extend(program(seed).covered);
        }
        let missing: Vec<_> = catalogue::pairs().into_iter().filter(|pair| !covered.contains(pair)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_default_seeds_cover_the_language() {
        let programs: Vec<_> = seeds::DEFAULT.map(program).collect();
        let text: String = programs.iter().map(|program| program.source.as_str()).collect();
        for part in [
            "device(\"/cpu:0\") {",
            "device(\"/gpu:1\") <",
            "device(\"/device:GPU:2\")",
            "device(none)",
            "scope(\"",
            "colocate_with(",
            "for i in 0..",
            "for part in split(",
            "for d in [",
            "device(d)",
            "\"/gpu:{i}\"",
            "..=",
            "...",
            "..;-1",
            "keepdims = true",
            "axis = -",
            "transpose_b = true",
            "name = \"node_",
            ".relu()",
            "f32::NAN",
            "i32::MIN",
            "helper_",
            " >> ",
            " % ",
            "result_0:",
            "-> (",
            "let (",
            "exclusive = true",
            "!v",
            "add_n(for",
            "[-1",
            ", -1",
        ] {
            assert!(text.contains(part), "{part}");
        }
        let inputs: BTreeSet<usize> = programs.iter().map(|program| program.inputs.len()).collect();
        assert_eq!(inputs, (0..=4).collect());
        let ranks: BTreeSet<usize> =
            programs.iter().flat_map(|program| &program.inputs).map(|input| input.tensor.rank()).collect();
        assert!((0..=4).all(|rank| ranks.contains(&rank)), "{ranks:?}");
        for dtype in DType::ALL {
            let inputs = programs.iter().flat_map(|program| &program.inputs);
            assert!(
                inputs.filter(|input| input.tensor.dtype == dtype).count() > 10,
                "inputs of {}",
                dtype.name()
            );
            let outputs = programs.iter().flat_map(|program| &program.outputs);
            assert!(
                outputs.filter(|output| output.dtype == dtype).count() > 10,
                "outputs of {}",
                dtype.name()
            );
        }
        let sizes: BTreeSet<usize> = programs
            .iter()
            .flat_map(|program| &program.outputs)
            .flat_map(|output| output.dims.clone())
            .collect();
        assert!(sizes.contains(&0) && sizes.contains(&1));
    }

    #[test]
    fn results_are_mostly_numbers() {
        let outputs: Vec<_> = seeds::DEFAULT.flat_map(|seed| program(seed).outputs).collect();
        let reals: Vec<f64> = outputs
            .iter()
            .filter(|output| output.dtype.is_float())
            .flat_map(|output| output.elements.iter().map(|element| element.float().value))
            .collect();
        let special = reals.iter().filter(|value| !value.is_finite()).count();
        assert!(special > 0 && special * 4 < reals.len(), "{special} of {}", reals.len());
    }
}
