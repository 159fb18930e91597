//! Index arithmetic: sums of loop variables times constants, with quotients and remainders where a reshape needs
//! them. Every rule that simplifies is exact for the ranges of the variables, which are known.

use std::collections::BTreeMap;

/// A sum of atoms times coefficients, plus a constant. Coefficients are never 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Affine {
    pub terms: BTreeMap<Atom, i64>,
    pub constant: i64,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A loop variable, in `0..extent`.
    Variable { index: u32, extent: u64 },
    /// An index read from a tensor, checked to be in `0..extent`.
    Temporary { index: u32, extent: u64 },
    /// Quotient of a non-negative form by a positive constant.
    Quotient(Box<Affine>, u64),
    /// Remainder of the same.
    Remainder(Box<Affine>, u64),
}

impl Affine {
    pub fn constant(constant: i64) -> Affine {
        Affine { terms: BTreeMap::new(), constant }
    }

    fn atom(atom: Atom) -> Affine {
        Affine { terms: BTreeMap::from([(atom, 1)]), constant: 0 }
    }

    /// A loop variable; one that takes a single value is 0.
    pub fn variable(index: u32, extent: u64) -> Affine {
        if extent <= 1 { Affine::default() } else { Affine::atom(Atom::Variable { index, extent }) }
    }

    pub fn temporary(index: u32, extent: u64) -> Affine {
        Affine::atom(Atom::Temporary { index, extent })
    }

    pub fn add(&self, other: &Affine) -> Affine {
        let mut sum = self.clone();
        sum.constant += other.constant;
        for (atom, coefficient) in &other.terms {
            let entry = sum.terms.entry(atom.clone()).or_insert(0);
            *entry += coefficient;
            if *entry == 0 {
                sum.terms.remove(atom);
            }
        }
        sum.rejoin()
    }

    pub fn scale(&self, factor: i64) -> Affine {
        if factor == 0 {
            return Affine::default();
        }
        let terms =
            self.terms.iter().map(|(atom, coefficient)| (atom.clone(), coefficient * factor)).collect();
        Affine { terms, constant: self.constant * factor }
    }

    pub fn offset(&self, constant: i64) -> Affine {
        let mut sum = self.clone();
        sum.constant += constant;
        sum
    }

    /// The smallest and the largest value.
    pub fn range(&self) -> (i128, i128) {
        let mut low = i128::from(self.constant);
        let mut high = low;
        for (atom, &coefficient) in &self.terms {
            let (least, most) = atom.range();
            let ends = [least * i128::from(coefficient), most * i128::from(coefficient)];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        (low, high)
    }

    /// The form divided by `divisor`, rounded down; the form is never negative.
    pub fn quotient(&self, divisor: u64) -> Affine {
        self.divide(divisor).0
    }

    /// What is left; the form is never negative.
    pub fn remainder(&self, divisor: u64) -> Affine {
        self.divide(divisor).1
    }

    /// Splits off the terms that `divisor` divides: `(c*d*x + r) / d = c*x + r/d` and `(..) % d = r % d`, right when
    /// `r` is not negative.
    fn divide(&self, divisor: u64) -> (Affine, Affine) {
        if divisor == 1 {
            return (self.clone(), Affine::default());
        }
        let by = divisor as i64;
        let mut whole = Affine::constant(self.constant.div_euclid(by));
        let mut rest = Affine::constant(self.constant.rem_euclid(by));
        for (atom, &coefficient) in &self.terms {
            let target =
                if coefficient % by == 0 { (&mut whole, coefficient / by) } else { (&mut rest, coefficient) };
            target.0.terms.insert(atom.clone(), target.1);
        }
        let (low, high) = rest.range();
        if low < 0 {
            let boxed = Box::new(self.clone());
            let quotient = Affine::atom(Atom::Quotient(boxed.clone(), divisor));
            return (quotient, Affine::atom(Atom::Remainder(boxed, divisor)));
        }
        if high < i128::from(divisor) {
            return (whole, rest);
        }
        let boxed = Box::new(rest);
        let quotient = whole.add(&Affine::atom(Atom::Quotient(boxed.clone(), divisor)));
        (quotient, Affine::atom(Atom::Remainder(boxed, divisor)))
    }

    /// `d*c*(e / d) + c*(e % d) = c*e`
    fn rejoin(mut self) -> Affine {
        loop {
            let pair = self.terms.iter().find_map(|(atom, &coefficient)| {
                let Atom::Remainder(inner, divisor) = atom else { return None };
                let quotient = Atom::Quotient(inner.clone(), *divisor);
                let fits = self.terms.get(&quotient) == Some(&(coefficient * *divisor as i64));
                fits.then(|| (atom.clone(), quotient, inner.scale(coefficient)))
            });
            let Some((remainder, quotient, joined)) = pair else { return self };
            self.terms.remove(&remainder);
            self.terms.remove(&quotient);
            self = self.add(&joined);
        }
    }

    /// Whether a variable occurs inside a quotient or a remainder, or only as a plain term.
    pub fn mentions_inside(&self, variable: u32) -> bool {
        self.terms.keys().any(|atom| match atom {
            Atom::Quotient(inner, _) | Atom::Remainder(inner, _) => inner.mentions(variable),
            Atom::Variable { .. } | Atom::Temporary { .. } => false,
        })
    }

    fn mentions(&self, variable: u32) -> bool {
        self.coefficient(variable) != 0 || self.mentions_inside(variable)
    }

    /// The coefficient of a loop variable as a plain term.
    pub fn coefficient(&self, variable: u32) -> i64 {
        let is_it = |atom: &Atom| matches!(atom, Atom::Variable { index, .. } if *index == variable);
        self.terms.iter().find(|(atom, _)| is_it(atom)).map_or(0, |(_, coefficient)| *coefficient)
    }

    /// Replaces loop variables by the given forms, inside quotients and remainders, too.
    pub fn substitute(&self, variable: impl Fn(u32, u64) -> Affine + Copy) -> Affine {
        let mut sum = Affine::constant(self.constant);
        for (atom, &coefficient) in &self.terms {
            let value = match atom {
                Atom::Variable { index, extent } => variable(*index, *extent),
                Atom::Temporary { .. } => Affine::atom(atom.clone()),
                Atom::Quotient(inner, divisor) => inner.substitute(variable).quotient(*divisor),
                Atom::Remainder(inner, divisor) => inner.substitute(variable).remainder(*divisor),
            };
            sum = sum.add(&value.scale(coefficient));
        }
        sum
    }
}

impl Atom {
    fn range(&self) -> (i128, i128) {
        match self {
            Atom::Variable { extent, .. } | Atom::Temporary { extent, .. } => (0, i128::from(*extent) - 1),
            Atom::Quotient(inner, divisor) => {
                let (low, high) = inner.range();
                (low.div_euclid(i128::from(*divisor)), high.div_euclid(i128::from(*divisor)))
            }
            Atom::Remainder(_, divisor) => (0, i128::from(*divisor) - 1),
        }
    }
}

/// The row-major position of an index in a tensor of `dims`.
pub fn linear(index: &[Affine], dims: &[u64]) -> Affine {
    let mut stride = 1i64;
    let mut sum = Affine::default();
    for (part, dim) in index.iter().zip(dims).rev() {
        sum = sum.add(&part.scale(stride));
        stride = stride.saturating_mul((*dim).max(1) as i64);
    }
    sum
}

/// The index of a row-major position in a tensor of `dims`.
pub fn delinear(position: &Affine, dims: &[u64]) -> Vec<Affine> {
    let mut index = vec![Affine::default(); dims.len()];
    let mut rest = position.clone();
    // The outermost axis of more than one element takes all that is left: no remainder is needed there.
    let first = dims.iter().position(|&dim| dim != 1).unwrap_or(0);
    for axis in (0..dims.len()).rev() {
        if dims[axis] == 1 {
            continue;
        }
        if axis == first {
            index[axis] = rest;
            break;
        }
        index[axis] = rest.remainder(dims[axis]);
        rest = rest.quotient(dims[axis]);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(form: &Affine, variables: &[i64]) -> i64 {
        form.constant
            + form
                .terms
                .iter()
                .map(|(atom, coefficient)| {
                    coefficient
                        * match atom {
                            Atom::Variable { index, .. } => variables[*index as usize],
                            Atom::Temporary { .. } => unreachable!("no tensor here"),
                            Atom::Quotient(inner, by) => evaluate(inner, variables).div_euclid(*by as i64),
                            Atom::Remainder(inner, by) => evaluate(inner, variables).rem_euclid(*by as i64),
                        }
                })
                .sum::<i64>()
    }

    #[test]
    fn reshapes_there_and_back_cancel() {
        let dims = [4, 6, 5];
        let index: Vec<Affine> = (0..3).map(|i| Affine::variable(i, dims[i as usize])).collect();
        for other in [[8, 3, 5], [2, 2, 30], [120, 1, 1], [5, 4, 6]] {
            let there = delinear(&linear(&index, &dims), &other);
            let back = delinear(&linear(&there, &other), &dims);
            assert_eq!(back, index, "{other:?}");
        }
    }

    #[test]
    fn forms_have_the_values_of_the_arithmetic_they_stand_for() {
        let dims = [3u64, 4, 5];
        let index: Vec<Affine> = (0..3).map(|i| Affine::variable(i, dims[i as usize])).collect();
        let other = [5u64, 6, 2];
        let mut there = delinear(&linear(&index, &dims), &other);
        // A reversed axis, then a second reshape.
        there[1] = there[1].scale(-1).offset(5);
        let last = delinear(&linear(&there, &other), &[15, 4]);
        for i in 0..3 {
            for j in 0..4 {
                for k in 0..5 {
                    let flat = i * 20 + j * 5 + k;
                    let (a, b, c) = (flat / 12, 5 - flat % 12 / 2, flat % 2);
                    let flat = a * 12 + b * 2 + c;
                    let values: Vec<i64> = last.iter().map(|form| evaluate(form, &[i, j, k])).collect();
                    assert_eq!(values, [flat / 4, flat % 4]);
                }
            }
        }
    }
}
