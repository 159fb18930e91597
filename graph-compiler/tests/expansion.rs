//! What the macro prints: the same tokens each time, names that only lead through the hidden import, plain data.

use graph_compiler::expand;
use proc_macro2::{TokenStream, TokenTree};

const PROGRAM: &str = r#"
    pub mod net {
        const N: usize = 6;
        fn dense(x, w) { relu(matmul(x, w)) }
        pub fn forward(x: f32[N, 4], w: f32[4, 4], rows: i32[3]) -> (p: f32[N, 4], label: i64[N], picked: f32[3, 4]) {
            let c = for d in ["/device:GPU:0", "/device:GPU:1"] { device(d) { dense(x, w) } };
            let p = device("/cpu:0") { softmax(add_n(c) + 0.5) };
            (p: p, label: argmax(p, axis = 1), picked: gather(p, rows))
        }
        pub fn other(x: f32[N]) -> f32 { mean(x) }
    }
"#;

fn expanded() -> TokenStream {
    expand(PROGRAM.parse().expect("the program lexes"))
}

/// Every word of the tokens, with the symbol before it.
fn words(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let mut before = String::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                words(group.stream(), found);
                before.clear();
            }
            TokenTree::Ident(ident) => {
                found.push((before.clone(), ident.to_string()));
                before.clear();
            }
            TokenTree::Punct(punct) => before.push(punct.as_char()),
            TokenTree::Literal(_) => before.clear(),
        }
    }
}

#[test]
fn the_same_text_gives_the_same_expansion() {
    let first = expanded().to_string();
    for _ in 0..20 {
        assert_eq!(expanded().to_string(), first);
    }
}

#[test]
fn nothing_of_the_prelude_and_nothing_unsafe_is_printed() {
    let mut found = Vec::new();
    words(expanded(), &mut found);
    assert!(found.len() > 500, "a whole module was printed");
    let banned = [
        "unsafe", "std", "alloc", "Vec", "Box", "Some", "None", "Err", "String", "HashMap", "vec", "format",
        "panic",
    ];
    for word in banned {
        assert!(!found.iter().any(|(_, found)| found == word), "`{word}` is printed");
    }
    // Types and results are reached through the import: a user may have items of these names.
    for word in ["Ok", "Result", "f32", "i64", "u32", "usize"] {
        let bare = found.iter().filter(|(before, found)| found == word && !before.ends_with("::"));
        assert_eq!(bare.count(), 0, "`{word}` stands alone");
    }
}

#[test]
fn the_plan_is_a_static_without_code_at_start() {
    let text = expanded().to_string().replace(' ', "");
    for entry in ["E0_PLAN", "E1_PLAN"] {
        assert!(text.contains(&format!("static{entry}:__graph_rt::Plan=__graph_rt::Plan{{")), "{entry}");
    }
    for word in ["OnceLock", "LazyLock", "thread_local", "lazy", "from_str", "parse"] {
        assert!(!text.contains(word), "`{word}` is printed");
    }
}

#[test]
fn a_kernel_is_printed_once_for_all_its_launches() {
    let tokens = "|x: f32[4]| { let a = device(\"/gpu:0\") { tanh(x) }; let b = device(\"/gpu:1\") { tanh(x) }; (a, b) }";
    let text = expand(tokens.parse().expect("lexes")).to_string();
    assert_eq!(text.matches("fn K").count(), 1, "{text}");
}

#[test]
fn each_let_is_a_typed_binding() {
    let text = expanded().to_string().replace(' ', "");
    let device = "__graph_rt::names::Cpu<0u32>";
    assert!(
        text.contains(&format!(
            "letp:__graph_rt::names::Tensor<__graph_rt::F32,__graph_rt::names::Shape2<6u64,4u64>,{device}>="
        )),
        "{text}"
    );
}

#[test]
fn a_wrong_graph_gives_one_error_for_each_mistake_and_no_plan() {
    let text = expand("|x: f32[2, 3]| { let y = matmul(x, x); relu(y) + sigmod(x) }".parse().expect("lexes"))
        .to_string();
    assert_eq!(text.matches("compile_error").count(), 2, "{text}");
    assert!(!text.contains("PLAN"));
}
