//! Columns of text.

use core::fmt::{self, Write};

/// Writes each row indented, its cells in columns as wide as their widest cell, two blanks between them.
pub(super) fn write(f: &mut fmt::Formatter<'_>, indent: usize, rows: &[Vec<String>]) -> fmt::Result {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        // The last cell of a row pushes nothing away, so that a long one does not widen its column.
        for (i, cell) in row.iter().enumerate().take(row.len().saturating_sub(1)) {
            if widths.len() <= i {
                widths.push(0);
            }
            widths[i] = widths[i].max(cell.chars().count());
        }
    }
    for row in rows {
        let mut line = " ".repeat(indent);
        for (i, cell) in row.iter().enumerate() {
            let width = widths.get(i).copied().unwrap_or(0);
            write!(line, "{cell:<width$}  ")?;
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}
