//! The scorer `tree_similarity`: how many nodes of a syntax tree must be changed to get that
//! of a reference. Zhang and Shasha 1989; the score is TSED of Song et al. 2024: 1 less the
//! distance for each node of the larger tree, at least 0.

use crate::answer::{tree_of, Decided, OUTPUT, REFERENCE};
use crate::source::code;
use crate::Language;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::{or_answer, Texts};
use rubric_host_tree::{Id, Tree};
use std::collections::HashMap;

/// Most comparisons of two nodes: about two seconds.
const MOST_STEPS: u64 = 400_000_000;

/// Most pairs of nodes: 64 MB of distances.
const MOST_PAIRS: usize = 16_000_000;

/// How near the syntax tree is to that of the nearest reference.
pub fn tree_similarity(language: &Language, request: &Request) -> Result<Answer> {
    let config = request.config();
    let texts = match config.text("labels", "kinds")? {
        "kinds" => false,
        "texts" => true,
        other => return Err(Error::new(format!("config labels is \"{other}\": use kinds or texts"))),
    };
    let Texts { output, references } = or_answer!(Texts::read(request)?);
    let mut labels = Labels::default();
    let mut read = |whose, text| -> Result<Decided<Ordered>> {
        let code = code(language, text, &config)?.text;
        Ok(tree_of(language, whose, code).map(|tree| Ordered::new(&tree, texts, &mut labels)))
    };
    let ours = or_answer!(read(OUTPUT, output)?);
    let mut best: Option<(f64, usize, usize)> = None;
    for reference in references {
        let theirs = or_answer!(read(REFERENCE, reference)?);
        if theirs.nodes <= 1 {
            continue; // nothing but the root
        }
        let distance = or_answer!(distance(&ours, &theirs));
        let larger = ours.nodes.max(theirs.nodes);
        let score = (1.0 - distance as f64 / larger as f64).max(0.0);
        if best.is_none_or(|b| score > b.0) {
            best = Some((score, distance, theirs.nodes));
        }
    }
    let Some((score, distance, nodes)) = best else { return Ok(Answer::unscored("no reference has code")) };
    let mut details = Object::new();
    details.int("distance", distance as u64).int("nodes", ours.nodes as u64).int("reference_nodes", nodes as u64);
    Ok(Answer::score(score).details(details))
}

/// Labels as numbers, for all trees of a call.
#[derive(Default)]
struct Labels(HashMap<(&'static str, String), u32>);

/// A tree in postorder, from either side.
struct Ordered {
    nodes: usize,
    left: Side,
    /// The mirrored tree.
    right: Side,
}

/// A tree as the algorithm goes through it.
struct Side {
    labels: Vec<u32>,
    /// For each node the first leaf below it, or itself.
    first: Vec<u32>,
    /// The nodes that share their first leaf with no node above them.
    roots: Vec<u32>,
}

impl Ordered {
    /// The named nodes of a tree without comments. Leaves are labelled with their text if
    /// `texts`, and others with their kind.
    fn new(tree: &Tree, texts: bool, labels: &mut Labels) -> Self {
        let mut kept: Vec<Id> = Vec::new();
        let mut id = 0;
        while id < tree.nodes.len() {
            let n = tree.node(id);
            if n.is_trivia() {
                id = n.last;
                continue;
            }
            if n.named || n.missing {
                kept.push(id);
            }
            id += 1;
        }
        // Ends of the subtrees, as positions among the kept.
        let list: Vec<(u32, u32)> = kept
            .iter()
            .enumerate()
            .map(|(i, &id)| {
                let n = tree.node(id);
                let end = i + kept[i..].partition_point(|&k| k < n.last);
                let text = if texts && end == i + 1 { tree.text(id).to_string() } else { String::new() };
                let next = labels.0.len() as u32;
                (*labels.0.entry((n.kind, text)).or_insert(next), end as u32)
            })
            .collect();
        let left = Side::new(&list, false);
        let right = Side::new(&list, true);
        Ordered { nodes: kept.len(), left, right }
    }
}

impl Side {
    /// From labels and ends of subtrees in preorder.
    fn new(list: &[(u32, u32)], mirrored: bool) -> Self {
        let n = list.len();
        let mut s = Side { labels: Vec::with_capacity(n), first: Vec::with_capacity(n), roots: Vec::new() };
        if mirrored {
            // The postorder of the mirrored tree is the preorder, backwards.
            for i in (0..n).rev() {
                s.labels.push(list[i].0);
                // The last node of the subtree in preorder comes first.
                s.first.push((n - list[i].1 as usize) as u32);
            }
        } else {
            let mut open: Vec<(usize, u32)> = Vec::new();
            for i in 0..=n {
                while let Some(&(node, first)) = open.last().filter(|o| i == n || list[o.0].1 as usize <= i) {
                    open.pop();
                    // A leaf is its own first leaf.
                    s.first.push(first);
                    s.labels.push(list[node].0);
                }
                if i < n {
                    open.push((i, s.labels.len() as u32));
                }
            }
        }
        // Of the nodes with the same first leaf the highest, which is the last.
        let mut seen = vec![false; n];
        for i in (0..n).rev() {
            if !std::mem::replace(&mut seen[s.first[i] as usize], true) {
                s.roots.push(i as u32);
            }
        }
        s.roots.reverse();
        s
    }

    /// The sizes of all subtrees that are compared as a whole.
    fn work(&self) -> u64 {
        self.roots.iter().map(|&r| u64::from(r - self.first[r as usize]) + 1).sum()
    }
}

/// The least number of nodes to insert, delete and rename.
fn distance(a: &Ordered, b: &Ordered) -> Decided<usize> {
    // Mirrored trees have the same distance, and sometimes less work.
    let (left, right) = (a.left.work() * b.left.work(), a.right.work() * b.right.work());
    let (n, m) = (a.nodes, b.nodes);
    if left.min(right) > MOST_STEPS || n * m > MOST_PAIRS {
        return Err(Answer::unscored(format!("trees of {n} and {m} nodes take {} steps to compare; the limit is {MOST_STEPS}", left.min(right))));
    }
    let (a, b) = if left <= right { (&a.left, &b.left) } else { (&a.right, &b.right) };
    let mut of_trees = vec![0u32; n * m];
    let mut table = vec![0u32; (n + 1) * (m + 1)];
    for &i in &a.roots {
        for &j in &b.roots {
            forests(a, b, i as usize, j as usize, &mut of_trees, &mut table);
        }
    }
    Ok(of_trees.last().map_or(n.max(m), |&d| d as usize))
}

/// Distances of all pairs of subtrees on the paths from the first leaves to i and j.
fn forests(a: &Side, b: &Side, i: usize, j: usize, of_trees: &mut [u32], table: &mut [u32]) {
    let (from_i, from_j) = (a.first[i] as usize, b.first[j] as usize);
    let (rows, columns, width) = (i - from_i + 1, j - from_j + 1, b.labels.len());
    let stride = columns + 1;
    for y in 0..=columns {
        table[y] = y as u32;
    }
    for x in 1..=rows {
        table[x * stride] = x as u32;
        let node = from_i + x - 1;
        let first_x = a.first[node] as usize - from_i;
        for y in 1..=columns {
            let other = from_j + y - 1;
            let first_y = b.first[other] as usize - from_j;
            let change = table[(x - 1) * stride + y].min(table[x * stride + y - 1]) + 1;
            let both = if first_x == 0 && first_y == 0 {
                let same = table[(x - 1) * stride + y - 1] + u32::from(a.labels[node] != b.labels[other]);
                of_trees[node * width + other] = change.min(same);
                same
            } else {
                table[first_x * stride + first_y] + of_trees[node * width + other]
            };
            table[x * stride + y] = change.min(both);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree from text such as "a(b c(d))", one letter for each node.
    fn of(text: &str) -> Ordered {
        let mut list: Vec<(u32, u32)> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for c in text.chars() {
            match c {
                '(' => open.push(list.len() - 1),
                ')' => {
                    open.pop();
                }
                ' ' => {}
                c => {
                    list.push((c as u32, 0));
                    let end = list.len() as u32;
                    list.last_mut().unwrap().1 = end;
                    open.iter().for_each(|&o| list[o].1 = end);
                }
            }
        }
        Ordered { nodes: list.len(), left: Side::new(&list, false), right: Side::new(&list, true) }
    }

    #[test]
    fn distances_of_the_paper_and_of_mirrored_trees() {
        for (a, b, want) in [
            ("f(d(a c(b))e)", "f(c(d(a b))e)", 2), // Zhang and Shasha, figure 4
            ("a", "a", 0),
            ("a", "b", 1),
            ("a(b c)", "a", 2),
            ("a(b(c(d)))", "a(b c d)", 4),
            ("a(b c d)", "a(d c b)", 2),
        ] {
            let (a, b) = (of(a), of(b));
            assert_eq!(distance(&a, &b).ok(), Some(want));
            let mirrored = |o: Ordered| Ordered { nodes: o.nodes, left: o.right, right: o.left };
            let (a, b) = (mirrored(a), mirrored(b));
            assert_eq!(distance(&a, &b).ok(), Some(want));
        }
    }
}
