//! Random shapes and elements.

use super::random::Random;
use crate::dtype::DType;
use crate::real::Real;
use crate::tensor::{Element, Tensor};

/// Tensors have this many elements at most; the evaluator is slow, and programs carry their data.
pub(crate) const ELEMENT_LIMIT: usize = 1100;

/// What elements a fresh tensor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Anything that the dtype has, special numbers among them.
    Any,
    /// Small positive numbers of few bits, on which every op is decided.
    Tame,
    /// From 0 to this, exclusive.
    Below(usize),
}

/// A random shape: often with a size of 1, now and then with one of 0 or without axes.
pub(crate) fn dims(random: &mut Random) -> Vec<usize> {
    let limit = if random.chance(8) { ELEMENT_LIMIT } else { 96 };
    loop {
        let rank = random.choose(&[0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4]);
        let dims: Vec<usize> = (0..rank).map(|_| size(random)).collect();
        if dims.iter().product::<usize>() <= limit {
            return dims;
        }
    }
}

/// A random size of one axis.
pub(crate) fn size(random: &mut Random) -> usize {
    match random.below(100) {
        0..4 => 0,
        4..22 => 1,
        22..44 => 2,
        44..64 => 3,
        64..78 => 5,
        78..84 => 7,
        84..90 => 8,
        90..95 => 16,
        _ => 33,
    }
}

/// A random tensor.
pub(crate) fn tensor(random: &mut Random, dtype: DType, dims: &[usize], style: Style) -> Tensor {
    let count: usize = dims.iter().product();
    let kind = random.below(100);
    let elements = (0..count).map(|_| element(random, dtype, style, kind)).collect();
    Tensor::new(dtype, dims, elements)
}

/// A random element; elements of one tensor share `kind`, below 100.
pub(crate) fn element(random: &mut Random, dtype: DType, style: Style, kind: usize) -> Element {
    if let Style::Below(bound) = style {
        return Element::Whole(random.below(bound) as i64);
    }
    match dtype {
        DType::Bool => Element::Bool(random.chance(50)),
        dtype if dtype.is_integer() => Element::Whole(integer(random, dtype, style, kind)),
        dtype => Element::Float(Real::exact(float(random, dtype, style, kind))),
    }
}

fn integer(random: &mut Random, dtype: DType, style: Style, kind: usize) -> i64 {
    let (low, high) = dtype.integer_range();
    match kind {
        _ if style == Style::Tame => random.between(1, 5),
        0..60 => random.between(low.max(-6), 6),
        60..80 => dtype.wrap(random.bits().into()),
        _ => random.choose(&[low, high, 0, 1, dtype.wrap(-1), high / 2, 7]),
    }
}

fn float(random: &mut Random, dtype: DType, style: Style, kind: usize) -> f64 {
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, dtype.largest(), -dtype.largest()];
    match kind {
        _ if style == Style::Tame => random.choose(&[0.25, 0.5, 1.0, 1.5, 2.0, 3.0]),
        0..30 => random.between(-5, 5) as f64,
        30..55 => random.between(-40, 40) as f64 / 8.0,
        55..80 => dtype.round(4.0 * random.fraction() - 2.0),
        80..90 => dtype.round(0.25 + 2.5 * random.fraction()),
        _ if random.chance(25) => random.choose(&special),
        _ => random.between(-3, 3) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::{ELEMENT_LIMIT, Style, dims, tensor};
    use crate::dtype::DType;
    use crate::generate::random::Random;

    #[test]
    fn elements_are_of_their_dtype() {
        let mut random = Random::new(3);
        for round in 0..400 {
            let dtype = DType::ALL[round % 8];
            let dims = dims(&mut random);
            let x = tensor(&mut random, dtype, &dims, Style::Any);
            assert!(x.elements.len() <= ELEMENT_LIMIT && x.rank() <= 4);
            for element in &x.elements {
                match dtype {
                    DType::Bool => assert!(matches!(element, crate::tensor::Element::Bool(_))),
                    _ if dtype.is_float() => {
                        let value = element.float().value;
                        assert!(value.is_nan() || dtype.holds(value), "{value} as {}", dtype.name());
                    }
                    _ => assert_eq!(dtype.wrap(element.whole().into()), element.whole()),
                }
            }
        }
    }

    #[test]
    fn shapes_have_every_rank_and_empty_axes() {
        let mut random = Random::new(4);
        let shapes: Vec<Vec<usize>> = (0..500).map(|_| dims(&mut random)).collect();
        assert!((0..=4).all(|rank| shapes.iter().any(|dims| dims.len() == rank)));
        assert!(
            [0, 1, 2, 3, 5, 7, 8, 16, 33].iter().all(|size| shapes.iter().any(|dims| dims.contains(size)))
        );
    }
}
