//! From the second run on, `run_into` allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use graph_runtime::{Config, Session, graph};
use ndarray::{Array1, Array2, ShapeBuilder};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_steady_run_into_allocates_nothing() {
    let g = graph! { |x: f32[16, 8], w: f32[8, 4], i: i32[3]| {
        let a = device("/gpu:0") { softmax(matmul(x, w)) };
        let b = device("/gpu:1") { layer_norm(a + 1.0) };
        (gather(b, i), sum(a, axis = 0))
    } };
    let mut session = Session::new(Config::new().virtual_gpus(2)).expect("a session opens");
    let x = Array2::<f32>::from_elem((16, 8).f(), 0.5);
    let w = Array2::<f32>::from_elem((8, 4), 0.25);
    let (mut picked, mut sums) = (Array2::zeros((3, 4).f()), Array1::zeros(4));
    session.run_into(&g, (&x, &w, &[0, 5, 15]), (&mut picked, &mut sums)).expect("the shapes fit");
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..100 {
        session.run_into(&g, (&x, &w, &[0, 5, 15]), (&mut picked, &mut sums)).expect("the shapes fit");
    }
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0);
}
