//! C and C++: statements that the grammars accept outside of functions.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    for id in tree.children(ROOT) {
        let n = tree.node(id);
        // A call may be a macro, and attributes may stand alone.
        if n.kind.ends_with("_statement") && !matches!(n.kind, "expression_statement" | "attributed_statement") {
            findings.add("declaration", n.start, n.end, "a statement outside of a function");
        }
    }
    Ok(())
}
