//! Inputs and outputs of any memory layout: contiguous or not, reversed, Fortran-ordered, empty.

use graph_runtime::{Config, Session, graph};
use ndarray::{Array2, ArrayView2, ShapeBuilder, array, s};

fn sessions() -> [Session; 2] {
    [0, 1].map(|gpus| Session::new(Config::new().virtual_gpus(gpus)).expect("a session opens"))
}

/// What `x + x` and a sum over rows give, for any layout of `x`.
fn check(x: ArrayView2<'_, f32>) {
    let g = graph! { |x: f32[2, 3]| (x + x, sum(x, axis = 0)) };
    for mut session in sessions() {
        let (double, sum) = session.run(&g, x).expect("the shape fits");
        assert_eq!(double, x.mapv(|x| x + x));
        assert_eq!(sum, x.sum_axis(ndarray::Axis(0)));
    }
}

#[test]
fn contiguous() {
    check(array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].view());
}

#[test]
fn fortran_order() {
    let x = Array2::from_shape_vec((2, 3).f(), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("six elements");
    check(x.view());
}

#[test]
fn transposed() {
    check(array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]].t());
}

#[test]
fn reversed_and_strided() {
    let x = Array2::from_shape_fn((4, 6), |(i, j)| (10 * i + j) as f32);
    check(x.slice(s![..;-2, 5..0;-2]));
    check(x.slice(s![1..3, ..;2]));
}

#[test]
fn broadcast_view() {
    let row = array![[1.0, 2.0, 3.0]];
    check(row.broadcast((2, 3)).expect("a row stretches"));
}

#[test]
fn rust_arrays_and_slices() {
    let g = graph! { |x: f32[2, 3], y: f32[3]| x + y };
    let vec = vec![10.0f32, 20.0, 30.0];
    for mut session in sessions() {
        let sum = session.run(&g, (&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]], &vec)).expect("the shapes fit");
        assert_eq!(sum, array![[11.0, 22.0, 33.0], [14.0, 25.0, 36.0]]);
    }
}

#[test]
fn empty_arrays() {
    let g = graph! { |x: f32[0, 3]| (x + x, sum(x, axis = 0), sum(x, axis = 1), sum(x)) };
    for mut session in sessions() {
        let (double, columns, rows, all) = session.run(&g, &Array2::zeros((0, 3))).expect("the shape fits");
        assert_eq!(double.shape(), [0, 3]);
        assert_eq!(columns, array![0.0, 0.0, 0.0]);
        assert_eq!(rows.len(), 0);
        assert_eq!(all, 0.0);
    }
}

#[test]
fn outputs_of_any_layout() {
    let g = graph! { |x: f32[2, 3]| x + x };
    let x = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let wanted = array![[2.0f32, 4.0, 6.0], [8.0, 10.0, 12.0]];
    for mut session in sessions() {
        let mut plain = Array2::zeros((2, 3));
        session.run_into(&g, &x, &mut plain).expect("the shapes fit");
        assert_eq!(plain, wanted);

        let mut fortran = Array2::zeros((2, 3).f());
        session.run_into(&g, &x, &mut fortran).expect("the shapes fit");
        assert_eq!(fortran, wanted);

        let mut larger = Array2::from_elem((4, 6), -1.0f32);
        session.run_into(&g, &x, larger.slice_mut(s![..;-2, ..;2])).expect("the shapes fit");
        assert_eq!(larger.slice(s![..;-2, ..;2]), wanted);
        assert_eq!(larger.sum(), wanted.sum() - 18.0, "nothing else is written");
    }
}

#[test]
fn an_output_that_is_an_input_is_copied() {
    let g = graph! { |x: f32[2]| (x, x, x + x) };
    for mut session in sessions() {
        let (a, b, c) = session.run(&g, &[1.0f32, 2.0]).expect("the shape fits");
        assert_eq!((a, b, c), (array![1.0, 2.0], array![1.0, 2.0], array![2.0, 4.0]));
    }
}

#[test]
fn one_value_as_two_outputs() {
    let g = graph! { |x: f32[2]| { let y = x + x; (y, y, y + y) } };
    for mut session in sessions() {
        let (a, b, c) = session.run(&g, &[1.0f32, 2.0]).expect("the shape fits");
        assert_eq!((a, b, c), (array![2.0, 4.0], array![2.0, 4.0], array![4.0, 8.0]));
    }
}

#[test]
fn scalars() {
    let g = graph! { |x: f32, y: f32[]| (x + y, x + x) };
    for mut session in sessions() {
        let y = 2.5f32;
        assert_eq!(session.run(&g, (1.0f32, &y)).expect("two numbers"), (3.5, 2.0));
        let (mut a, mut b) = (0.0, 0.0);
        session.run_into(&g, (1.0f32, y), (&mut a, &mut b)).expect("two numbers");
        assert_eq!((a, b), (3.5, 2.0));
    }
}
