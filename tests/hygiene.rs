//! The expansion works wherever a user may write it, whatever the names around it mean.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings)]
#![allow(dead_code, reason = "items that only shadow names")]

use ::core::assert_eq;
use ::core::convert::From;
use ::graph_runtime::{Config, Session, graph};
use ::std::vec;

/// Names of the prelude and of std that mean something else here.
mod shadowed {
    #![allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they shadow names on purpose")]

    pub(crate) struct Vec;
    pub(crate) struct Option;
    pub(crate) struct Result;
    pub(crate) struct Box;
    pub(crate) struct String;
    pub(crate) struct f32;
    pub(crate) struct usize;
    pub(crate) struct u8;
    pub(crate) struct bool;
    pub(crate) fn drop() {}
    pub(crate) mod std {}
    pub(crate) mod core {}
    pub(crate) mod ndarray {}
    pub(crate) const PLAN: i32 = 1;
    pub(crate) const K0: i32 = 1;

    use ::graph_runtime::graph;

    graph! {
        pub(crate) mod item {
            const N: usize = 3;
            fn twice(x) { x + x }
            pub fn four(x: f32[N]) -> (four: f32[N], first: f32) {
                let y = twice(twice(x));
                (four: y, first: y[0])
            }
        }
    }

    /// A graph among the shadowed names.
    pub(crate) fn run(session: &mut ::graph_runtime::Session) -> ::core::primitive::f32 {
        let g = graph! { |x: f32[2], i: i32[1]| { let y = x + constant([1.0, 2.0]); sum(gather(y, i)) } };
        match session.run(&g, (&[1.0, 2.0], &[1])) {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => ::core::panic!("{error}"),
        }
    }
}

fn session() -> Session {
    Session::new(Config::new().virtual_gpus(1)).expect("a session opens")
}

#[test]
fn with_names_of_the_prelude_taken() {
    let mut session = session();
    assert_eq!(shadowed::run(&mut session), 4.0);
    let mut model = shadowed::item::load(&session).expect("the default device is there");
    let results = model.four(&[1.0, 2.0, 3.0]).expect("the shape fits");
    assert_eq!(results.four, ::ndarray::array![4.0, 8.0, 12.0]);
    assert_eq!(results.first, 4.0);
}

fn generic<T: From<f32>>(x: f32) -> T {
    let g = graph! { |x: f32| x + x };
    T::from(session().run(&g, x).expect("a number"))
}

#[test]
fn inside_a_generic_function() {
    assert_eq!(generic::<f64>(1.5), 3.0);
    assert_eq!(generic::<f32>(2.0), 4.0);
}

#[test]
fn inside_a_const_block() {
    let mut session = session();
    let g = const {
        graph! { |x: f32[2]| x + x }
    };
    assert_eq!(session.run(&g, &[1.0, 2.0]).expect("the shape fits"), ::ndarray::array![2.0, 4.0]);
}

macro_rules! sum_of {
    ($session:expr, $x:expr, $n:literal, $op:ident, $device:literal, $value:expr) => {{
        let g = graph! { |x: f32[$n]| device($device) { $op(x + $value) } };
        $session.run(&g, $x).expect("the shape fits")
    }};
}

#[test]
fn inside_another_macro() {
    let mut session = session();
    assert_eq!(sum_of!(session, &[1.0, 2.0, 3.0], 3, sum, "/cpu:0", 1.0), 9.0);
}

/// The runtime under another name, as a crate that re-exports it.
mod reexport {
    pub(crate) use ::graph_runtime as inner;
}

macro_rules! through_another_crate {
    ($($graph:tt)*) => { graph! { crate = $crate::reexport::inner; $($graph)* } };
}

#[test]
fn with_the_runtime_re_exported() {
    let mut session = session();
    let g = through_another_crate! { |x: f32[2]| x + 1.0 };
    assert_eq!(session.run(&g, &[1.0, 2.0]).expect("the shape fits"), ::ndarray::array![2.0, 3.0]);
}

#[test]
fn names_of_the_graph_may_be_names_outside() {
    let session = &mut session();
    let x = [1.0f32, 2.0];
    let g =
        graph! { |args: f32[2], w: f32[2]| { let r0 = args + w; let t0 = r0 + w; let i0 = t0; i0 + args } };
    assert_eq!(session.run(&g, (&x, &x)).expect("the shapes fit"), ::ndarray::array![4.0, 8.0]);
}

/// A method of the prelude's traits, without the prelude.
trait Expect<T> {
    fn expect(self, text: &str) -> T;
}

impl<T> Expect<T> for ::graph_runtime::Result<T> {
    fn expect(self, text: &str) -> T {
        match self {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => ::core::panic!("{text}: {error}"),
        }
    }
}
