//! The text of `visible_device_list`.
//!
//! Accepted is what TensorFlow 2.21 accepts (blanks around entries, leading zeros, a plus sign, `GPU:5` for `5`),
//! without what it lets through in silence: any type's name before the colon, and `-1` beside other entries, which it
//! skips while the CUDA driver ends the list there.

use crate::{Error, Result};

/// Which of the machine's GPUs to use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Visible {
    /// All, in the machine's order.
    All,
    /// These, in this order; none if empty. Ids may still be out of range or listed twice.
    Listed(Vec<i32>),
}

/// Reads a list; without the machine's GPUs, ids cannot be judged.
pub(crate) fn parse_visible(list: &str) -> Result<Visible> {
    if list.is_empty() {
        return Ok(Visible::All);
    }
    let mut ids = list.split(',').map(|entry| parse_entry(list, entry)).collect::<Result<Vec<i32>>>()?;
    if ids.contains(&-1) {
        if ids.len() > 1 {
            return Err(error(list, "-1 hides every GPU and stands alone"));
        }
        ids.clear();
    }
    Ok(Visible::Listed(ids))
}

impl Visible {
    /// The ids to use on a machine that has `count` GPUs. On a machine without any, a list selects nothing.
    pub(crate) fn select(&self, list: &str, count: usize) -> Result<Vec<usize>> {
        let ids = match self {
            Visible::All => return Ok((0..count).collect()),
            Visible::Listed(_) if count == 0 => return Ok(Vec::new()),
            Visible::Listed(ids) => ids,
        };
        let mut selected = Vec::with_capacity(ids.len());
        for &id in ids {
            let Some(index) = usize::try_from(id).ok().filter(|&index| index < count) else {
                let allowed = if count == 1 { "only 0 exists".to_owned() } else { format!("0 to {} exist", count - 1) };
                return Err(error(list, &format!("GPU {id} is out of range: {allowed} here")));
            };
            if selected.contains(&index) {
                return Err(error(list, &format!("GPU {id} is a duplicate: each may be listed once")));
            }
            selected.push(index);
        }
        Ok(selected)
    }
}

fn parse_entry(list: &str, entry: &str) -> Result<i32> {
    let entry = entry.trim_ascii();
    let (device_type, number) = entry.rsplit_once(':').unwrap_or(("GPU", entry));
    if !device_type.eq_ignore_ascii_case("GPU") {
        return Err(error(list, &format!("entry {entry:?} does not name a GPU")));
    }
    number.parse().map_err(|_| {
        let range = if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() {
            " below 2147483648"
        } else {
            ""
        };
        error(list, &format!("entry {entry:?} is not a number{range}; help: separate numbers by commas, as in \"1,0\""))
    })
}

fn error(list: &str, problem: &str) -> Error {
    Error::invalid_argument(format!("visible_device_list = {list:?}: {problem}"))
}
