//! Device names: characters that a reader takes for ASCII.
//!
//! They come from input methods (full-width forms), other alphabets, word processors (dashes, quotes) and copied web
//! pages (zero-width marks). The table holds what resembles a character that a device name can contain.

/// `text` with each look-alike replaced, invisible and quoting characters dropped, and every blank made a space.
pub(super) fn fold(text: &str) -> String {
    text.chars().filter_map(fold_character).collect()
}

fn fold_character(character: char) -> Option<char> {
    let code = character as u32;
    let folded = match character {
        '"' | '\'' | '`' | '@' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' => return None,
        // Soft hyphen, combining accents, zero-width and direction marks, byte order mark.
        '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' => return None,
        _ if character.is_whitespace() => ' ',
        _ if character.is_control() => return None,
        '\\' | '⁄' | '∕' | '⧸' | '╱' | '＼' => '/',
        'ː' | '∶' | '꞉' | '︓' | '﹕' => ':',
        '‐'..='―' | '−' | '﹣' => '-',
        '∗' | '⁎' | '✱' => '*',
        // Full-width ASCII.
        '！'..='～' => offset(code, '！', '!'),
        // Mathematical letters: alphabets of 52, upper case first; and digits in runs of ten.
        '\u{1D400}'..='\u{1D6A3}' => match (code - 0x1D400) % 52 {
            letter @ 0..26 => offset(letter, '\0', 'A'),
            letter => offset(letter - 26, '\0', 'a'),
        },
        '\u{1D7CE}'..='\u{1D7FF}' => offset((code - 0x1D7CE) % 10, '\0', '0'),
        _ => match decimal_digit(character) {
            Some(digit) => digit,
            None => alphabet(character),
        },
    };
    Some(folded)
}

/// The character as far from `to` as `code` is from `from`.
fn offset(code: u32, from: char, to: char) -> char {
    char::from_u32(code - from as u32 + to as u32).unwrap_or('?')
}

/// Decimal digits of other scripts, as ASCII.
fn decimal_digit(character: char) -> Option<char> {
    const ZEROS: [char; 12] = [
        '\u{660}', '\u{6F0}', '\u{7C0}', '\u{966}', '\u{9E6}', '\u{A66}', '\u{AE6}', '\u{B66}', '\u{BE6}',
        '\u{E50}', '\u{ED0}', '\u{2080}',
    ];
    let zero =
        ZEROS.into_iter().find(|&zero| (zero as u32..zero as u32 + 10).contains(&(character as u32)))?;
    Some(offset(character as u32, zero, '0'))
}

/// Letters of other alphabets that look like a Latin one.
fn alphabet(character: char) -> char {
    match character {
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' | 'Ϲ' => 'C',
        'Е' | 'Ε' => 'E',
        'Ԍ' => 'G',
        'Н' | 'Η' => 'H',
        'І' | 'Ι' => 'I',
        'Ј' => 'J',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'Ս' | '∪' => 'U',
        'Х' | 'Χ' => 'X',
        'У' | 'Υ' => 'Y',
        'а' | 'α' | 'ɑ' => 'a',
        'Ь' | 'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ʋ' | 'µ' | 'μ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ѡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        other => other,
    }
}
