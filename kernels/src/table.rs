//! The hand-written kernels: names, dtypes and argument order.
//!
//! One list, `hand_written_kernels!`, from which the table is made here and against which the functions of
//! `cpu` are tested, so that neither can change without the other.

use graph_ir::DType;

/// What the compiler must know to call a hand-written kernel.
///
/// The function has the kernel's name, is generic over the element type and takes its arguments in the order of
/// `arguments`: first `reads` slices `&[T]`, then `writes` slices `&mut [T]`, then the parameters, whose
/// types `parameters` lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelSignature {
    /// The function's name in `cpu`.
    pub name: &'static str,
    /// The dtypes for which it exists; reads and writes all have the same one.
    pub dtypes: &'static [DType],
    /// How many tensors it reads.
    pub reads: u32,
    /// How many tensors it writes.
    pub writes: u32,
    /// The names of all arguments in order: reads, writes, parameters.
    pub arguments: &'static [&'static str],
    /// The types of the parameters.
    pub parameters: &'static [ParameterType],
}

/// The type of a parameter of a hand-written kernel, which a generated kernel passes as a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterType {
    /// A `usize`: a size in elements.
    Size,
    /// A `bool`.
    Flag,
    /// A `&cpu::MatMulShape`.
    MatMulShape,
}

/// The list. Calls the macro `$then` with one entry per kernel.
macro_rules! hand_written_kernels {
    ($then:ident) => {
        $then! {
            matmul [F32 F64 F16 BF16 I32 I64 U8] reads [a b] writes [c] parameters [shape: MatMulShape];
            cumsum [F32 F64 F16 BF16 I32 I64 U8] reads [x] writes [y]
                parameters [outer: Size, n: Size, inner: Size, exclusive: Flag, reverse: Flag];
        }
    };
}

macro_rules! signatures {
    ($($name:ident [$($dtype:ident)+] reads [$($read:ident)+] writes [$($write:ident)+]
       parameters [$($parameter:ident: $type:ident),*];)+) => {
        /// Every hand-written kernel.
        pub const KERNELS: &[KernelSignature] = &[$(KernelSignature {
            name: stringify!($name),
            dtypes: &[$(DType::$dtype),+],
            reads: [$(stringify!($read)),+].len() as u32,
            writes: [$(stringify!($write)),+].len() as u32,
            arguments: &[$(stringify!($read),)+ $(stringify!($write),)+ $(stringify!($parameter)),*],
            parameters: &[$(ParameterType::$type),*],
        }),+];
    };
}

hand_written_kernels!(signatures);

#[cfg(all(test, feature = "cpu"))]
pub(crate) use hand_written_kernels;

/// The kernel called `name`.
pub fn kernel(name: &str) -> Option<&'static KernelSignature> {
    KERNELS.iter().find(|signature| signature.name == name)
}

#[cfg(test)]
mod tests {
    use graph_ir::DType;

    use super::{KERNELS, KernelSignature, ParameterType, kernel};

    #[test]
    fn an_entry_is_found_by_its_name() {
        assert_eq!(
            kernel("matmul"),
            Some(&KernelSignature {
                name: "matmul",
                dtypes: &[DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I64, DType::U8],
                reads: 2,
                writes: 1,
                arguments: &["a", "b", "c", "shape"],
                parameters: &[ParameterType::MatMulShape],
            })
        );
        assert_eq!(kernel("matmull"), None);
    }

    #[test]
    fn counts_add_up_and_names_are_unique() {
        for (i, signature) in KERNELS.iter().enumerate() {
            let counted = signature.reads as usize + signature.writes as usize + signature.parameters.len();
            assert_eq!(signature.arguments.len(), counted, "{}", signature.name);
            assert!(KERNELS[i + 1..].iter().all(|other| other.name != signature.name), "{}", signature.name);
        }
    }
}
