//! Real data: a trained network classifies handwritten digits in two towers, each on a GPU of its own.
//!
//! The data are UCI's optdigits (see `data/digits/README.md`); the network is 64-64-32-10 with ReLU, its weights come from
//! a safetensors file. A batch of 40 rows is split between the towers and the results are joined on the CPU.

use std::error::Error;
use std::path::Path;

use graph_runtime::{Config, Session, graph};
use ndarray::{Array, Array1, Array2, Axis, Dimension, s};
use safetensors::SafeTensors;

graph! {
    mod digits {
        const BATCH: usize = 40;

        fn layer(x, w, b) { matmul(x, w) + b }

        pub fn classify(
            x: f32[BATCH, 64],
            w1: f32[64, 64], b1: f32[64],
            w2: f32[64, 32], b2: f32[32],
            w3: f32[32, 10], b3: f32[10],
        ) -> (probabilities: f32[BATCH, 10], digits: i64[BATCH]) {
            let rows = split(x / 16.0, 2);
            let towers = for (i, part) in [(0, rows.0), (1, rows.1)] {
                device("/device:GPU:{i}") {
                    scope("tower_{i}") {
                        let h1 = relu(layer(part, w1, b1));
                        let h2 = relu(layer(h1, w2, b2));
                        softmax(layer(h2, w3, b3))
                    }
                }
            };
            device("/cpu:0") {
                let p = concat(towers, axis = 0);
                (probabilities: p, digits: argmax(p, axis = 1))
            }
        }
    }
}

/// Rows of 64 pixels, and their labels.
fn read_digits(path: &Path) -> Result<(Array2<f32>, Array1<i64>), Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut pixels = Vec::new();
    let mut labels = Vec::new();
    for line in text.lines().skip(1) {
        let mut numbers: Vec<&str> = line.split(',').collect();
        labels.push(numbers.pop().ok_or("an empty line")?.parse()?);
        for number in numbers {
            pixels.push(number.parse()?);
        }
    }
    Ok((Array2::from_shape_vec((labels.len(), 64), pixels)?, Array1::from(labels)))
}

/// A tensor of the file; the shape must be the array's.
fn tensor<D: Dimension>(
    file: &SafeTensors<'_>,
    name: &str,
    dims: D,
) -> Result<Array<f32, D>, Box<dyn Error>> {
    let view = file.tensor(name)?;
    if view.shape() != dims.slice() {
        return Err(format!("`{name}` has shape {:?}, {:?} is wanted", view.shape(), dims.slice()).into());
    }
    let numbers =
        view.data().chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    Ok(Array::from_shape_vec(dims, numbers.collect())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("Without GPUs this example runs on 2 virtual ones: the CPU, with a memory for each.");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/digits");
    let (pixels, labels) = read_digits(&folder.join("digits.csv"))?;
    let bytes = std::fs::read(folder.join("mlp.safetensors"))?;
    let file = SafeTensors::deserialize(&bytes)?;
    let (w1, b1) = (
        tensor(&file, "layer0.weight", ndarray::Ix2(64, 64))?,
        tensor(&file, "layer0.bias", ndarray::Ix1(64))?,
    );
    let (w2, b2) = (
        tensor(&file, "layer1.weight", ndarray::Ix2(64, 32))?,
        tensor(&file, "layer1.bias", ndarray::Ix1(32))?,
    );
    let (w3, b3) = (
        tensor(&file, "layer2.weight", ndarray::Ix2(32, 10))?,
        tensor(&file, "layer2.bias", ndarray::Ix1(10))?,
    );

    let session = Session::new(Config::new().virtual_gpus(2))?;
    let mut model = digits::load(&session)?;
    let (test, answers) = (pixels.slice(s![1437.., ..]), labels.slice(s![1437..]));
    let mut correct = 0;
    let mut first = Array2::zeros((0, 10));
    for (x, y) in test.axis_chunks_iter(Axis(0), 40).zip(answers.axis_chunks_iter(Axis(0), 40)) {
        let results = model.classify(x, &w1, &b1, &w2, &b2, &w3, &b3)?;
        correct += results.digits.iter().zip(y).filter(|(given, wanted)| given == wanted).count();
        if first.is_empty() {
            first = results.probabilities.slice(s![..2, ..]).to_owned();
        }
    }
    println!("{correct} of {} digits are recognised", answers.len());
    assert_eq!(correct, 330);

    for (row, wanted) in first.rows().into_iter().zip(EXPECTED) {
        for (given, wanted) in row.iter().zip(wanted) {
            assert!((f64::from(*given) - wanted).abs() < 1e-5, "{given} instead of {wanted}");
        }
    }
    println!("the probabilities of the first two rows are as expected");
    Ok(())
}

/// The probabilities of the first two test rows, computed in f64 (`data/digits/expected.json`).
const EXPECTED: [[f64; 10]; 2] = [
    [
        5.038405174312517e-12,
        8.486919353504331e-10,
        0.9999988063477085,
        1.177377435526615e-06,
        2.4692636754276727e-20,
        9.836751505337473e-09,
        3.3424063853824233e-12,
        8.421075592860422e-14,
        5.3053218197410245e-09,
        2.7562594646435224e-10,
    ],
    [
        4.516012357371502e-11,
        1.8594509475535504e-08,
        1.0555210529434768e-06,
        0.9999797238481449,
        8.489883211563557e-17,
        1.2486220407388303e-05,
        1.8366923285198483e-11,
        1.133272351426903e-08,
        2.7161273996864053e-07,
        6.432806894745178e-06,
    ],
];
