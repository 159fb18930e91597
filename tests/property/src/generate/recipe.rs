//! Small expressions that are written once and used with several tensors: helper functions and bodies of loops.

use super::random::Random;
use super::text;
use crate::dtype::DType;
use crate::evaluate::{Outcome, arithmetic};
use crate::tensor::{Element, Tensor};

/// A few elementwise steps, of which the last is the result.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    parameters: usize,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    op: &'static str,
    left: Term,
    /// `None` for an op of one operand.
    right: Option<Term>,
}

#[derive(Clone, Copy, Debug)]
enum Term {
    Parameter(usize),
    Step(usize),
    Number(i64),
    /// The number of the loop's round.
    Round,
}

impl Recipe {
    /// A random one that uses each parameter; `rounds` says whether it may use the number of the round.
    pub(super) fn random(random: &mut Random, parameters: usize, rounds: bool) -> Recipe {
        let mut steps = Vec::new();
        let count = parameters.max(1) + random.below(3);
        for i in 0..count {
            let left = if i < parameters { Term::Parameter(i) } else { Term::Step(i - 1) };
            let right = match random.below(10) {
                _ if 0 < i && i < parameters => Term::Step(i - 1),
                0..=2 if rounds => Term::Round,
                0..=2 => Term::Number(random.between(1, 3)),
                3..=5 if i > 0 => Term::Step(random.below(i)),
                _ => Term::Parameter(random.below(parameters)),
            };
            let must_join = 0 < i && i < parameters;
            let step = match random.chance(30) && !must_join {
                true => Step { op: random.choose(&["relu", "neg", "abs", "square"]), left, right: None },
                false => {
                    let op = random.choose(&["add", "sub", "mul", "maximum", "minimum"]);
                    Step { op, left, right: Some(right) }
                }
            };
            steps.push(step);
        }
        Recipe { parameters, steps }
    }

    /// What it gives for these tensors, all of one dtype.
    pub(super) fn evaluate(&self, arguments: &[Tensor], round: i64) -> Outcome {
        assert_eq!(arguments.len(), self.parameters, "arguments of a recipe");
        let dtype = arguments[0].dtype;
        let number = |n: i64| Tensor::new(dtype, &[], vec![Element::small(dtype, n)]);
        let mut results: Vec<Tensor> = Vec::new();
        for step in &self.steps {
            let term = |term: Term| match term {
                Term::Parameter(i) => arguments[i].clone(),
                Term::Step(i) => results[i].clone(),
                Term::Number(n) => number(n),
                Term::Round => number(round),
            };
            let left = term(step.left);
            let result = match step.right {
                None => arithmetic::unary(step.op, &left)?,
                Some(right) => arithmetic::binary(step.op, &left, &term(right))?,
            };
            results.push(result);
        }
        results.pop().ok_or(crate::real::Undecided("a recipe without steps"))
    }

    /// Whether it uses the number of the round.
    pub(super) fn uses_round(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.right, Some(Term::Round)))
    }

    /// Whether it takes tensors of this dtype.
    pub(super) fn takes(dtype: DType) -> bool {
        dtype != DType::Bool
    }

    /// Its lines but the last, and its last expression.
    pub(super) fn write(&self, parameters: &[String], round: &str) -> (Vec<String>, String) {
        let written = |term: Term| match term {
            Term::Parameter(i) => parameters[i].clone(),
            Term::Step(i) => format!("s{i}"),
            Term::Number(n) => n.to_string(),
            Term::Round => round.to_owned(),
        };
        let mut lines = Vec::new();
        let mut last = String::new();
        for (i, step) in self.steps.iter().enumerate() {
            let left = written(step.left);
            last = match (step.right, text::operator(step.op)) {
                (None, _) => format!("{}({left})", step.op),
                (Some(right), Some((operator, _))) => format!("{left} {operator} {}", written(right)),
                (Some(right), None) => format!("{}({left}, {})", step.op, written(right)),
            };
            if i + 1 < self.steps.len() {
                lines.push(format!("let s{i} = {last};"));
            }
        }
        (lines, last)
    }
}

#[cfg(test)]
mod tests {
    use super::Recipe;
    use crate::dtype::DType;
    use crate::generate::random::Random;
    use crate::tensor::Tensor;

    #[test]
    fn recipes_use_every_parameter() {
        for seed in 0..200 {
            let recipe = Recipe::random(&mut Random::new(seed), 3, true);
            let (lines, last) = recipe.write(&["a".into(), "b".into(), "c".into()], "i");
            let text = format!("{} {last}", lines.join(" "));
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
            assert!(["a", "b", "c"].iter().all(|name| words.contains(name)), "{text}");
            let x = Tensor::wholes(DType::I32, &[2], &[1, 2]);
            assert!(recipe.evaluate(&[x.clone(), x.clone(), x], 2).is_ok());
        }
    }
}
