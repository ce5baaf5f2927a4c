//! White space for what is put into a text: as its neighbours have it.

use std::ops::Range;

use super::document::Node;

/// Line ends and indentation of a list of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// Line end; empty if everything stands on one line.
    newline: String,
    indent: String,
    unit: String,
}

impl Layout {
    /// Returns the layout of the members of a document that we write ourselves.
    pub(super) fn document() -> Self {
        Self { newline: "\n".to_owned(), indent: "  ".to_owned(), unit: "  ".to_owned() }
    }

    /// Returns the layout of parts that are set apart by `lead`.
    pub(super) fn after(lead: &str) -> Self {
        let (before, indent) = lead.rsplit_once('\n').unwrap_or(("", ""));
        let newline = match (lead.contains('\n'), before.ends_with('\r')) {
            (false, _) => "",
            (true, false) => "\n",
            (true, true) => "\r\n",
        };
        let unit = if indent.starts_with('\t') { "\t" } else { "  " };
        Self { newline: newline.to_owned(), indent: indent.to_owned(), unit: unit.to_owned() }
    }

    /// Returns the layout one level further in.
    pub(super) fn inner(&self) -> Self {
        Self { indent: format!("{}{}", self.indent, self.unit), ..self.clone() }
    }

    fn gap(&self) -> String {
        if self.newline.is_empty() {
            return " ".to_owned();
        }
        format!("{}{}", self.newline, self.indent)
    }

    /// Returns what stands between two parts.
    pub(super) fn separator(&self) -> String {
        format!(",{}", self.gap())
    }

    /// Returns a member that is a list with one element.
    pub(super) fn list(&self, key: &str, element: &str) -> String {
        format!("\"{key}\": [{}{element}{}]", self.inner().gap(), self.gap())
    }

    /// Returns a member that is an object with members laid out by [`Layout::inner`].
    pub(super) fn object(&self, key: &str, members: &[String]) -> String {
        let inner = self.inner();
        let members = members.join(&inner.separator());
        format!("\"{key}\": {{{}{members}{}}}", inner.gap(), self.gap())
    }
}

/// Returns where a new last part goes into a list, and what has to stand before it.
pub(super) fn place(text: &str, container: &Node, parts: &[Range<usize>]) -> (usize, String) {
    let Some(last) = parts.last() else {
        return (container.span.start + 1, String::new());
    };
    let before = text.get(..last.start).unwrap_or_default();
    let space = before.get(before.trim_ascii_end().len()..).unwrap_or_default();
    (last.end, format!(",{}", if space.is_empty() { " " } else { space }))
}
