//! Node names, formed as TensorFlow forms them.

use std::collections::HashMap;

/// Makes names unique. One table for ops and scopes, as in TensorFlow; names differ by more than letter case.
#[derive(Default)]
pub struct NameTable {
    /// Lower-cased names taken, and the next suffix to try for each. Looked up only, never iterated.
    taken: HashMap<String, u32>,
}

impl NameTable {
    /// `name`, or the first free one of `name_1`, `name_2`, …
    pub fn unique(&mut self, name: &str) -> String {
        let key = name.to_ascii_lowercase();
        let Some(&next) = self.taken.get(&key) else {
            self.taken.insert(key, 1);
            return name.to_owned();
        };
        let mut suffix = next;
        loop {
            let candidate = format!("{key}_{suffix}");
            suffix += 1;
            if !self.taken.contains_key(&candidate) {
                self.taken.insert(candidate, 1);
                self.taken.insert(key, suffix);
                return format!("{name}_{}", suffix - 1);
            }
        }
    }
}

/// Why `name` cannot name a node or, with `inner`, something inside a scope.
pub fn check_name(name: &str, inner: bool) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.\\-/>".contains(c);
    if let Some(c) = name.chars().find(|&c| !allowed(c)) {
        return Err(format!("{c:?} cannot stand in a name; letters, digits and `_ . - / >` can"));
    }
    if name.ends_with('/') {
        return Err("a name does not end in `/`".to_owned());
    }
    match name.chars().next() {
        None => Err("a name is empty".to_owned()),
        Some(c) if !(inner || c.is_ascii_alphanumeric() || c == '.') => {
            Err(format!("a name starts with a letter, a digit or `.`, not with {c:?}"))
        }
        Some(_) => Ok(()),
    }
}
