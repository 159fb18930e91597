//! Edge cases through the whole road: sizes 0 and 1, scalars, many operands, ties, overflow, large index ranges.

use graph_runtime::{Config, Graph, Session, graph};
use ndarray::{Array, Array1, Array2, Array3, Axis, array};

fn session() -> Session {
    Session::new(Config::new().virtual_gpus(2)).expect("a session opens")
}

/// A graph without inputs.
fn value<O: graph_runtime::graph::Results>(graph: &Graph<(), O>) -> O::Value {
    session().run(graph, ()).expect("nothing can fail")
}

#[test]
fn hundreds_of_pieces_are_joined() {
    let joined = graph! { |x: f32[2]| concat([x * 0.0,x * 1.0,x * 2.0,x * 3.0,x * 4.0,x * 5.0,x * 6.0,x * 7.0,x * 8.0,x * 9.0,x * 10.0,x * 11.0,x * 12.0,x * 13.0,x * 14.0,x * 15.0,x * 16.0,x * 17.0,x * 18.0,x * 19.0,x * 20.0,x * 21.0,x * 22.0,x * 23.0,x * 24.0,x * 25.0,x * 26.0,x * 27.0,x * 28.0,x * 29.0,x * 30.0,x * 31.0,x * 32.0,x * 33.0,x * 34.0,x * 35.0,x * 36.0,x * 37.0,x * 38.0,x * 39.0,x * 40.0,x * 41.0,x * 42.0,x * 43.0,x * 44.0,x * 45.0,x * 46.0,x * 47.0,x * 48.0,x * 49.0,x * 50.0,x * 51.0,x * 52.0,x * 53.0,x * 54.0,x * 55.0,x * 56.0,x * 57.0,x * 58.0,x * 59.0,x * 60.0,x * 61.0,x * 62.0,x * 63.0,x * 64.0,x * 65.0,x * 66.0,x * 67.0,x * 68.0,x * 69.0,x * 70.0,x * 71.0,x * 72.0,x * 73.0,x * 74.0,x * 75.0,x * 76.0,x * 77.0,x * 78.0,x * 79.0,x * 80.0,x * 81.0,x * 82.0,x * 83.0,x * 84.0,x * 85.0,x * 86.0,x * 87.0,x * 88.0,x * 89.0,x * 90.0,x * 91.0,x * 92.0,x * 93.0,x * 94.0,x * 95.0,x * 96.0,x * 97.0,x * 98.0,x * 99.0,x * 100.0,x * 101.0,x * 102.0,x * 103.0,x * 104.0,x * 105.0,x * 106.0,x * 107.0,x * 108.0,x * 109.0,x * 110.0,x * 111.0,x * 112.0,x * 113.0,x * 114.0,x * 115.0,x * 116.0,x * 117.0,x * 118.0,x * 119.0,x * 120.0,x * 121.0,x * 122.0,x * 123.0,x * 124.0,x * 125.0,x * 126.0,x * 127.0,x * 128.0,x * 129.0,x * 130.0,x * 131.0,x * 132.0,x * 133.0,x * 134.0,x * 135.0,x * 136.0,x * 137.0,x * 138.0,x * 139.0,x * 140.0,x * 141.0,x * 142.0,x * 143.0,x * 144.0,x * 145.0,x * 146.0,x * 147.0,x * 148.0,x * 149.0,x * 150.0,x * 151.0,x * 152.0,x * 153.0,x * 154.0,x * 155.0,x * 156.0,x * 157.0,x * 158.0,x * 159.0,x * 160.0,x * 161.0,x * 162.0,x * 163.0,x * 164.0,x * 165.0,x * 166.0,x * 167.0,x * 168.0,x * 169.0,x * 170.0,x * 171.0,x * 172.0,x * 173.0,x * 174.0,x * 175.0,x * 176.0,x * 177.0,x * 178.0,x * 179.0,x * 180.0,x * 181.0,x * 182.0,x * 183.0,x * 184.0,x * 185.0,x * 186.0,x * 187.0,x * 188.0,x * 189.0,x * 190.0,x * 191.0,x * 192.0,x * 193.0,x * 194.0,x * 195.0,x * 196.0,x * 197.0,x * 198.0,x * 199.0,x * 200.0,x * 201.0,x * 202.0,x * 203.0,x * 204.0,x * 205.0,x * 206.0,x * 207.0,x * 208.0,x * 209.0,x * 210.0,x * 211.0,x * 212.0,x * 213.0,x * 214.0,x * 215.0,x * 216.0,x * 217.0,x * 218.0,x * 219.0,x * 220.0,x * 221.0,x * 222.0,x * 223.0,x * 224.0,x * 225.0,x * 226.0,x * 227.0,x * 228.0,x * 229.0,x * 230.0,x * 231.0,x * 232.0,x * 233.0,x * 234.0,x * 235.0,x * 236.0,x * 237.0,x * 238.0,x * 239.0,x * 240.0,x * 241.0,x * 242.0,x * 243.0,x * 244.0,x * 245.0,x * 246.0,x * 247.0,x * 248.0,x * 249.0,x * 250.0,x * 251.0,x * 252.0,x * 253.0,x * 254.0,x * 255.0,x * 256.0,x * 257.0,x * 258.0,x * 259.0,x * 260.0,x * 261.0,x * 262.0,x * 263.0,x * 264.0,x * 265.0,x * 266.0,x * 267.0,x * 268.0,x * 269.0,x * 270.0,x * 271.0,x * 272.0,x * 273.0,x * 274.0,x * 275.0,x * 276.0,x * 277.0,x * 278.0,x * 279.0,x * 280.0,x * 281.0,x * 282.0,x * 283.0,x * 284.0,x * 285.0,x * 286.0,x * 287.0,x * 288.0,x * 289.0,x * 290.0,x * 291.0,x * 292.0,x * 293.0,x * 294.0,x * 295.0,x * 296.0,x * 297.0,x * 298.0,x * 299.0]) };
    let stacked = graph! { |x: f32[2]| stack([x * 0.0,x * 1.0,x * 2.0,x * 3.0,x * 4.0,x * 5.0,x * 6.0,x * 7.0,x * 8.0,x * 9.0,x * 10.0,x * 11.0,x * 12.0,x * 13.0,x * 14.0,x * 15.0,x * 16.0,x * 17.0,x * 18.0,x * 19.0,x * 20.0,x * 21.0,x * 22.0,x * 23.0,x * 24.0,x * 25.0,x * 26.0,x * 27.0,x * 28.0,x * 29.0,x * 30.0,x * 31.0,x * 32.0,x * 33.0,x * 34.0,x * 35.0,x * 36.0,x * 37.0,x * 38.0,x * 39.0,x * 40.0,x * 41.0,x * 42.0,x * 43.0,x * 44.0,x * 45.0,x * 46.0,x * 47.0,x * 48.0,x * 49.0,x * 50.0,x * 51.0,x * 52.0,x * 53.0,x * 54.0,x * 55.0,x * 56.0,x * 57.0,x * 58.0,x * 59.0,x * 60.0,x * 61.0,x * 62.0,x * 63.0,x * 64.0,x * 65.0,x * 66.0,x * 67.0,x * 68.0,x * 69.0,x * 70.0,x * 71.0,x * 72.0,x * 73.0,x * 74.0,x * 75.0,x * 76.0,x * 77.0,x * 78.0,x * 79.0,x * 80.0,x * 81.0,x * 82.0,x * 83.0,x * 84.0,x * 85.0,x * 86.0,x * 87.0,x * 88.0,x * 89.0,x * 90.0,x * 91.0,x * 92.0,x * 93.0,x * 94.0,x * 95.0,x * 96.0,x * 97.0,x * 98.0,x * 99.0,x * 100.0,x * 101.0,x * 102.0,x * 103.0,x * 104.0,x * 105.0,x * 106.0,x * 107.0,x * 108.0,x * 109.0,x * 110.0,x * 111.0,x * 112.0,x * 113.0,x * 114.0,x * 115.0,x * 116.0,x * 117.0,x * 118.0,x * 119.0,x * 120.0,x * 121.0,x * 122.0,x * 123.0,x * 124.0,x * 125.0,x * 126.0,x * 127.0,x * 128.0,x * 129.0,x * 130.0,x * 131.0,x * 132.0,x * 133.0,x * 134.0,x * 135.0,x * 136.0,x * 137.0,x * 138.0,x * 139.0,x * 140.0,x * 141.0,x * 142.0,x * 143.0,x * 144.0,x * 145.0,x * 146.0,x * 147.0,x * 148.0,x * 149.0,x * 150.0,x * 151.0,x * 152.0,x * 153.0,x * 154.0,x * 155.0,x * 156.0,x * 157.0,x * 158.0,x * 159.0,x * 160.0,x * 161.0,x * 162.0,x * 163.0,x * 164.0,x * 165.0,x * 166.0,x * 167.0,x * 168.0,x * 169.0,x * 170.0,x * 171.0,x * 172.0,x * 173.0,x * 174.0,x * 175.0,x * 176.0,x * 177.0,x * 178.0,x * 179.0,x * 180.0,x * 181.0,x * 182.0,x * 183.0,x * 184.0,x * 185.0,x * 186.0,x * 187.0,x * 188.0,x * 189.0,x * 190.0,x * 191.0,x * 192.0,x * 193.0,x * 194.0,x * 195.0,x * 196.0,x * 197.0,x * 198.0,x * 199.0,x * 200.0,x * 201.0,x * 202.0,x * 203.0,x * 204.0,x * 205.0,x * 206.0,x * 207.0,x * 208.0,x * 209.0,x * 210.0,x * 211.0,x * 212.0,x * 213.0,x * 214.0,x * 215.0,x * 216.0,x * 217.0,x * 218.0,x * 219.0,x * 220.0,x * 221.0,x * 222.0,x * 223.0,x * 224.0,x * 225.0,x * 226.0,x * 227.0,x * 228.0,x * 229.0,x * 230.0,x * 231.0,x * 232.0,x * 233.0,x * 234.0,x * 235.0,x * 236.0,x * 237.0,x * 238.0,x * 239.0,x * 240.0,x * 241.0,x * 242.0,x * 243.0,x * 244.0,x * 245.0,x * 246.0,x * 247.0,x * 248.0,x * 249.0,x * 250.0,x * 251.0,x * 252.0,x * 253.0,x * 254.0,x * 255.0,x * 256.0,x * 257.0,x * 258.0,x * 259.0,x * 260.0,x * 261.0,x * 262.0,x * 263.0,x * 264.0,x * 265.0,x * 266.0,x * 267.0,x * 268.0,x * 269.0,x * 270.0,x * 271.0,x * 272.0,x * 273.0,x * 274.0,x * 275.0,x * 276.0,x * 277.0,x * 278.0,x * 279.0,x * 280.0,x * 281.0,x * 282.0,x * 283.0,x * 284.0,x * 285.0,x * 286.0,x * 287.0,x * 288.0,x * 289.0,x * 290.0,x * 291.0,x * 292.0,x * 293.0,x * 294.0,x * 295.0,x * 296.0,x * 297.0,x * 298.0,x * 299.0], axis = 1) };
    let result: Array1<f32> = session().run(&joined, &[1.0, 2.0]).expect("the shape fits");
    assert_eq!(result, Array::from_shape_fn(600, |i| (i / 2) as f32 * (1 + i % 2) as f32));
    let result: Array2<f32> = session().run(&stacked, &[1.0, 2.0]).expect("the shape fits");
    assert_eq!(result, Array::from_shape_fn((2, 300), |(i, j)| j as f32 * (i + 1) as f32));
}

#[test]
fn outputs_that_are_inputs_constants_or_the_same_value_twice() {
    let g = graph! { |x: f32[2]| {
        let c = constant([7.0, 8.0]);
        let y = device("/gpu:1") { x + c };
        (x, c, y, y, x)
    } };
    let mut session = session();
    for _ in 0..2 {
        let (x, c, y, again, last) = session.run(&g, &[1.0, 2.0]).expect("the shape fits");
        assert_eq!((x.clone(), c), (array![1.0, 2.0], array![7.0, 8.0]));
        assert_eq!((y.clone(), again, last), (array![8.0, 10.0], y, x));
    }
}

#[test]
fn empty_tensors_flow_through_every_kind_of_op() {
    let g = graph! { |x: f32[0, 3], y: f32[2, 0]| {
        (
            sum(x, axis = 0), mean(x, axis = 1), matmul(y, x), softmax(x), concat([x, x]), transpose(x),
            reshape(x, [3, 0, 5]), pad(x, [[1, 0], [0, 0]]), argmax(x, axis = 1), prod(x), cumsum(x), x[.., ..;-1],
        )
    } };
    let (x, y) = (Array2::<f32>::zeros((0, 3)), Array2::<f32>::zeros((2, 0)));
    let r = session().run(&g, (&x, &y)).expect("the shapes fit");
    assert_eq!(r.0, array![0.0, 0.0, 0.0]);
    assert_eq!(r.1.len(), 0);
    assert_eq!(r.2, Array2::<f32>::zeros((2, 3)));
    assert_eq!((r.3.dim(), r.4.dim(), r.5.dim(), r.6.dim()), ((0, 3), (0, 3), (3, 0), (3, 0, 5)));
    assert_eq!(r.7, array![[0.0, 0.0, 0.0]]);
    assert_eq!((r.8.len(), r.9, r.10.dim(), r.11.dim()), (0, 1.0, (0, 3), (0, 3)));
}

#[test]
fn an_empty_mean_is_nan() {
    let g = graph! { |x: f32[3, 0]| mean(x, axis = 1) };
    let means = session().run(&g, &Array2::<f32>::zeros((3, 0))).expect("the shape fits");
    assert!(means.len() == 3 && means.iter().all(|mean| mean.is_nan()), "{means}");
}

#[test]
fn scalars_in_and_out() {
    let g = graph! { |x: f32, n: i32, b: bool| {
        (x * 2.0, n + 1, select(b, x, -x), reshape(x, [1, 1]), stack([x, x]), sum(x), transpose(x), x == x)
    } };
    let r = session().run(&g, (1.5, -1, false)).expect("the inputs fit");
    assert_eq!((r.0, r.1, r.2, r.3), (3.0, 0, -1.5, array![[1.5]]));
    assert_eq!((r.4, r.5, r.6, r.7), (array![1.5, 1.5], 1.5, 1.5, true));
}

#[test]
fn integers_at_their_ends() {
    let g = graph! { |a: i32[4], b: i32[4]| (a / b, a % b, a + b, a * b, -a, abs(a), floor_div(a, b), floor_mod(a, b), a << b, a >> b) };
    let (a, b) = ([i32::MIN, i32::MIN, 7, -7], [-1, 0, -2, 2]);
    let r = session().run(&g, (&a, &b)).expect("the shapes fit");
    assert_eq!(r.0, array![i32::MIN, -1, -3, -3]);
    assert_eq!(r.1, array![0, i32::MIN, 1, -1]);
    assert_eq!(r.2, array![i32::MAX, i32::MIN, 5, -5]);
    assert_eq!(r.3, array![i32::MIN, 0, -14, -14]);
    assert_eq!(r.4, array![i32::MIN, i32::MIN, -7, 7]);
    assert_eq!(r.5, array![i32::MIN, i32::MIN, 7, 7]);
    assert_eq!(r.6, array![i32::MIN, -1, -4, -4]);
    assert_eq!(r.7, array![0, i32::MIN, -1, 1]);
    assert_eq!(r.8, array![0, i32::MIN, 0, -28]);
    assert_eq!(r.9, array![-1, i32::MIN, 0, -2]);
}

#[test]
fn ties_nan_and_signed_zeros() {
    let nan = f32::NAN;
    let g = graph! { |x: f32[2, 4]| (argmax(x, axis = 1), argmin(x, axis = 1), max(x, axis = 1), relu(x), maximum(x, 0.0), clip(x, -1.0, 1.0)) };
    let x = array![[1.0, 3.0, 3.0, -0.0], [2.0, nan, 5.0, nan]];
    let r = session().run(&g, &x).expect("the shape fits");
    assert_eq!(r.0, array![1, 1]);
    assert_eq!(r.1, array![3, 1]);
    assert!(r.2[0] == 3.0 && r.2[1].is_nan());
    assert!(r.3[[1, 1]].is_nan() && r.4[[1, 1]].is_nan() && r.5[[1, 1]].is_nan());
    assert_eq!(r.5[[1, 2]], 1.0);
}

#[test]
fn casts_saturate_and_truncate() {
    let g = graph! { |x: f32[6]| (cast(x, i32), cast(x, u8), cast(x, bool), cast(x, f16)) };
    let r = session().run(&g, &[1e20, -1e20, f32::NAN, 2.9, -0.0, 70000.0]).expect("the shape fits");
    assert_eq!(r.0, array![i32::MAX, i32::MIN, 0, 2, 0, 70000]);
    assert_eq!(r.1, array![255, 0, 0, 2, 0, 255]);
    assert_eq!(r.2, array![true, true, true, true, false, true]);
    assert_eq!(r.3[5], half::f16::INFINITY);
}

#[test]
fn halves_are_summed_in_f32() {
    let g = graph! { |x: f16[4096]| (sum(x), mean(x)) };
    let r = session().run(&g, &Array1::from_elem(4096, half::f16::ONE)).expect("the shape fits");
    assert_eq!((r.0.to_f32(), r.1.to_f32()), (4096.0, 1.0));
}

#[test]
fn rounding_is_to_even() {
    let rounded = value(&graph! { round(constant([0.5, 1.5, 2.5, -0.5, -1.5, 1e10])) });
    assert_eq!(rounded, array![0.0, 2.0, 2.0, -0.0, -2.0, 1e10]);
}

#[test]
fn reductions_of_reductions_share_nothing_wrong() {
    let g = graph! { |x: f32[3, 4, 5]| {
        let s = sum(x, axis = 2);
        let centred = x - expand_dims(s / 5.0, 2);
        (sum(s, axis = 0), max(sum(centred * centred, axis = 2), axis = 1), softmax(softmax(s)), s)
    } };
    let x: Array3<f32> = Array::from_shape_fn((3, 4, 5), |(i, j, k)| ((i * 31 + j * 7 + k * 3) % 13) as f32);
    let r = session().run(&g, &x).expect("the shape fits");
    let s = x.sum_axis(Axis(2));
    assert_eq!(r.3, s);
    assert_eq!(r.0, s.sum_axis(Axis(0)));
    let squares = Array2::from_shape_fn((3, 4), |(i, j)| {
        (0..5).map(|k| (x[[i, j, k]] - s[[i, j]] / 5.0).powi(2)).sum::<f32>()
    });
    for i in 0..3 {
        let most = (0..4).map(|j| squares[[i, j]]).fold(f32::MIN, f32::max);
        assert!((r.1[i] - most).abs() < 1e-4, "{} {most}", r.1[i]);
        assert!((r.2.row(i).sum() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn positions_beyond_32_bits_are_plain_arithmetic() {
    // 2^32 + 3 elements that nobody stores: only their indices are made.
    let g = graph! { || { let i = range(4294967299, dtype = i64); (i[4294967296..], reshape(i[..;1073741824], [5])) } };
    let r = session().run(&g, ()).expect("nothing can fail");
    assert_eq!(r.0, array![4294967296i64, 4294967297, 4294967298]);
    assert_eq!(r.1, array![0i64, 1 << 30, 1 << 31, 3 << 30, 1 << 32]);
}

#[test]
fn one_hot_out_of_range_is_an_error_that_names_the_node() {
    let g = graph! { |labels: i32[3]| one_hot(labels, 4) };
    let mut session = session();
    for wrong in [-1, 4, i32::MAX, i32::MIN] {
        let error = session.run(&g, &[0, wrong, 1]).expect_err("no such class");
        assert_eq!(error.code, graph_runtime::Code::OutOfRange);
        assert!(error.message.contains("OneHot") && error.message.contains(&wrong.to_string()), "{error}");
    }
    assert_eq!(session.run(&g, &[0, 3, 1]).expect("in range").sum(), 3.0);
}

#[test]
fn inclusive_ranges_reach_both_ends_in_both_directions() {
    let g = graph! { |x: i32[5]| (x[4..=0;-1], x[..=-1;-1], x[1..=-1], x[..=0], x[-2..=1;-1], x[3..=3], x[..=-2;2]) };
    let r = session().run(&g, &[0, 1, 2, 3, 4]).expect("the shape fits");
    assert_eq!(r.0, array![4, 3, 2, 1, 0]);
    assert_eq!(r.1, array![4]);
    assert_eq!(r.2, array![1, 2, 3, 4]);
    assert_eq!(r.3, array![0]);
    assert_eq!(r.4, array![3, 2, 1]);
    assert_eq!(r.5, array![3]);
    assert_eq!(r.6, array![0, 2]);
}
