//! Runs of tokens that occur twice.

use rubric_host_tree::Tree;
use std::collections::HashMap;

/// A second occurrence.
pub struct Duplicate {
    pub start: usize,
    pub end: usize,
    /// Where the first occurrence begins.
    pub first: usize,
    pub tokens: usize,
}

/// Finds runs of at least so many equal tokens, comments left out. A run counts once, and
/// occurrences do not overlap.
pub fn find(tree: &Tree, least: usize) -> Vec<Duplicate> {
    let tokens: Vec<usize> = (0..tree.nodes.len())
        .filter(|&id| {
            let n = tree.node(id);
            n.is_leaf(id) && n.end > n.start && !n.is_trivia()
        })
        .collect();
    if tokens.len() < least * 2 {
        return Vec::new();
    }
    let hash = |text: &str| text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, c| (h ^ u64::from(c)).wrapping_mul(0x100_0000_01b3));
    let hashes: Vec<u64> = tokens.iter().map(|&t| hash(tree.text(t))).collect();
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let top = (1..least).fold(1u64, |p, _| p.wrapping_mul(BASE));
    let mut rolling = hashes[..least].iter().fold(0u64, |h, &x| h.wrapping_mul(BASE).wrapping_add(x));
    let mut first: HashMap<u64, usize> = HashMap::new();
    let mut found = Vec::new();
    let mut at = 0;
    let mut free = 0; // tokens before it are part of a duplicate
    loop {
        match first.get(&rolling) {
            Some(&f) if at >= free && f + least <= at && hashes[f..f + least] == hashes[at..at + least] => {
                let more = (least..).take_while(|&k| at + k < hashes.len() && f + k < at && hashes[f + k] == hashes[at + k]).count();
                let length = least + more;
                found.push(Duplicate {
                    start: tree.node(tokens[at]).start,
                    end: tree.node(tokens[at + length - 1]).end,
                    first: tree.node(tokens[f]).start,
                    tokens: length,
                });
                free = at + length;
            }
            Some(_) => {}
            None => {
                first.insert(rolling, at);
            }
        }
        if at + least == hashes.len() {
            return found;
        }
        rolling = rolling.wrapping_sub(hashes[at].wrapping_mul(top)).wrapping_mul(BASE).wrapping_add(hashes[at + least]);
        at += 1;
    }
}
