//! Bytes as elements: the one file of this crate with `unsafe`.

use core::any::type_name;

use graph_ir::KernelArgs;

use super::Element;

/// Operand `i` as an array of `N` elements.
///
/// # Panics
/// When the operand does not have exactly the bytes of `[T; N]` or is not aligned for `T`: then the plan and the
/// kernel do not belong together.
#[inline]
pub fn read<'a, T: Element, const N: usize>(args: &KernelArgs<'a>, i: usize) -> &'a [T; N] {
    let bytes = args.read(i);
    if !fits::<T, N>(bytes) {
        misfit::<T, N>("operand", i, bytes);
    }
    if N == 0 {
        // An empty buffer may have any address, aligned or not.
        return empty::<T, N>();
    }
    // SAFETY: `fits` has checked length and alignment; each pattern of bits is a valid `T` (`Element` is sealed to
    // such types); the bytes are borrowed for 'a.
    unsafe { &*bytes.as_ptr().cast::<[T; N]>() }
}

/// Result `i` as an array of `N` elements, once.
///
/// # Panics
/// As [`read`], and when result `i` was taken before.
#[inline]
pub fn write<'a, T: Element, const N: usize>(args: &mut KernelArgs<'a>, i: usize) -> &'a mut [T; N] {
    let bytes = args.write(i);
    if !fits::<T, N>(bytes) {
        misfit::<T, N>("result", i, bytes);
    }
    if N == 0 {
        return empty_mut::<T, N>();
    }
    // SAFETY: as in `read`; the bytes are borrowed mutably for 'a, and each pattern of bits of a `T` is valid bytes.
    unsafe { &mut *bytes.as_mut_ptr().cast::<[T; N]>() }
}

#[inline(always)]
fn fits<T: Element, const N: usize>(bytes: &[u8]) -> bool {
    bytes.len() == size_of::<[T; N]>() && (N == 0 || bytes.as_ptr().cast::<T>().is_aligned())
}

fn empty<'a, T: Element, const N: usize>() -> &'a [T; N] {
    let slice: &[T] = &[];
    slice.try_into().expect("called for N = 0 only")
}

fn empty_mut<'a, T: Element, const N: usize>() -> &'a mut [T; N] {
    let slice: &mut [T] = &mut [];
    slice.try_into().expect("called for N = 0 only")
}

#[cold]
#[inline(never)]
fn misfit<T: Element, const N: usize>(kind: &str, i: usize, bytes: &[u8]) -> ! {
    panic!(
        "{kind} {i} of a kernel has {} bytes at {:p}, but [{}; {N}] has {} bytes aligned to {}: the plan and the \
         kernel do not belong together; this is a bug of graph!, please report it",
        bytes.len(),
        bytes.as_ptr(),
        type_name::<T>(),
        size_of::<[T; N]>(),
        align_of::<T>(),
    )
}

#[cfg(test)]
mod tests {
    use graph_ir::KernelArgs;
    use graph_ir::args::Bound;

    use super::{read, write};

    /// Runs `body` with `args` whose operand and result 0 are the bytes of `input` and `output`.
    fn with_args(input: &mut [u8], output: &mut [u8], body: impl FnOnce(&mut KernelArgs<'_>)) {
        let bound = |bytes: &mut [u8]| Bound { address: bytes.as_mut_ptr(), bytes: bytes.len() };
        let table = [bound(input), bound(output)];
        // SAFETY: both ranges are borrowed mutably for the whole call, are initialised and do not overlap.
        let mut args = unsafe { KernelArgs::new(&table, &[0], &[1]) };
        body(&mut args);
    }

    /// 64 bytes, aligned for each element type.
    #[repr(align(64))]
    struct Aligned([u8; 64]);

    #[test]
    fn bytes_become_elements_and_back() {
        let (mut input, mut output) = (Aligned([0; 64]), Aligned([0; 64]));
        input.0[..8].copy_from_slice(&[0, 0, 128, 63, 0, 0, 0, 192]);
        with_args(&mut input.0[..8], &mut output.0[..16], |args| {
            let x = read::<f32, 2>(args, 0);
            assert_eq!(x, &[1.0, -2.0]);
            let y = write::<i64, 2>(args, 0);
            *y = [-1, 2];
        });
        assert_eq!(output.0[..9], [255, 255, 255, 255, 255, 255, 255, 255, 2]);
    }

    #[test]
    fn no_elements_need_no_alignment() {
        let (mut input, mut output) = (Aligned([0; 64]), Aligned([0; 64]));
        with_args(&mut input.0[1..1], &mut output.0[3..3], |args| {
            assert_eq!(read::<f64, 0>(args, 0), &[]);
            assert_eq!(write::<f64, 0>(args, 0), &mut []);
        });
    }

    #[test]
    #[should_panic(expected = "operand 0 of a kernel has 8 bytes")]
    fn a_wrong_length_panics() {
        let mut input = Aligned([0; 64]);
        with_args(&mut input.0[..8], &mut [], |args| _ = read::<f32, 3>(args, 0));
    }

    #[test]
    #[should_panic(expected = "but [f32; 2] has 8 bytes aligned to 4")]
    fn a_wrong_alignment_panics() {
        let mut output = Aligned([0; 64]);
        with_args(&mut [], &mut output.0[2..10], |args| _ = write::<f32, 2>(args, 0));
    }

    #[test]
    #[should_panic(expected = "result 0 of a kernel has 4 bytes")]
    fn elements_for_none_panic() {
        let mut output = Aligned([0; 64]);
        with_args(&mut [], &mut output.0[..4], |args| _ = write::<f32, 0>(args, 0));
    }
}
