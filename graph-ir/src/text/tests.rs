use crate::check::drafts::{product, towers};
use crate::make::{copy, launch, wait};

/// The texts lie beside this file, one for each draft: read the difference before you accept it.
#[test]
fn sound_plans() {
    assert_eq!(product().plan().to_string(), include_str!("expected/product.txt"));
    assert_eq!(towers().plan().to_string(), include_str!("expected/towers.txt"));
}

/// The text is for broken plans, too.
#[test]
fn wrong_indices_have_a_text() {
    let mut draft = product();
    draft.buffers[2].node = 9;
    draft.slots.clear();
    draft.lanes[0].extend([launch(7, &[8], &[], &[], &[]), copy(8, 9), wait(3)]);
    assert_eq!(draft.plan().to_string(), include_str!("expected/broken.txt"));
}

#[test]
fn a_value_with_many_readers_names_three() {
    let mut draft = towers();
    draft.lanes[0].extend((0..4).map(|_| launch(1, &[1], &[4], &[2], &[])));
    let text = draft.plan().to_string();
    let line = text.lines().find(|line| line.contains("from input `x`"));
    assert_eq!(
        line,
        Some(
            "  0  copy    `x` from input `x`, to slot 0, arena 0..16, 16 bytes: read there by `Relu`, `Exp`, `Exp` and \
             3 more"
        )
    );
}
