//! SQL: what a dialect lacks. The grammar accepts most dialects at once.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Error, Result};
use rubric_host_tree::Tree;

/// `LIMIT 5, 10` of SQLite and MySQL is accepted, which the grammar does not know.
/// `dialect: sqlite` refuses the operators of PostgreSQL that the grammar accepts.
pub fn rules(tree: &Tree, config: &Config, findings: &mut Findings) -> Result<()> {
    findings.0.retain(|f| {
        let limit = tree.text[..f.start].trim_end_matches(|c: char| c.is_ascii_digit() || c.is_ascii_whitespace());
        let rest = tree.text[f.start..f.end].strip_prefix(',').map(str::trim);
        !(limit.to_ascii_lowercase().ends_with("limit") && rest.is_some_and(|r| !r.is_empty() && r.bytes().all(|c| c.is_ascii_digit())))
    });
    match config.text("dialect", "any")? {
        "any" => return Ok(()),
        "sqlite" => {}
        other => return Err(Error::new(format!("config dialect is \"{other}\": use any or sqlite"))),
    }
    for (id, n) in tree.nodes.iter().enumerate() {
        match n.kind {
            _ if n.is_leaf(id) && tree.text(id).eq_ignore_ascii_case("ilike") => {
                findings.add("dialect", n.start, n.end, "sqlite has no ilike; its like ignores case");
            }
            "::" => findings.add("dialect", n.start, n.end, "sqlite has no ::, use cast(... as type)"),
            _ => {}
        }
    }
    Ok(())
}
