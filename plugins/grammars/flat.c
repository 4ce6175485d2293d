// A syntax tree as a flat list, from tree-sitter's own structures: its cursor keeps lines and columns of each step,
// and looks for a node's parent again at each sibling and each field.

#include "./language.h"
#include "./subtree.h"
#include "./tree.h"

// As `Seen` in tree/src/ffi.rs has it.
typedef struct {
  uint32_t start, end, parent, last;
  TSSymbol symbol;
  TSFieldId field;
  bool named, missing, faulty;
} Seen;

// The children of a node that are still to come.
typedef struct {
  Subtree node;
  const TSSymbol *aliases;
  uint32_t next, structural, start;
  uint32_t seen;     // the node, or the one around it if the grammar hides the node
  TSFieldId field;   // of a hidden node, which its children have
} Level;

static Level level(const TSLanguage *language, Subtree node, uint32_t start, uint32_t seen, TSFieldId field) {
  return (Level) {
    .node = node,
    .aliases = ts_language_alias_sequence(language, node.ptr->production_id),
    .start = start,
    .seen = seen,
    .field = field,
  };
}

static Seen see(const TSLanguage *language, Subtree node, TSSymbol alias, TSFieldId field, uint32_t start, uint32_t parent, uint32_t id) {
  return (Seen) {
    .start = start,
    .end = start + ts_subtree_size(node).bytes,
    .parent = parent,
    .last = id + 1,
    .symbol = ts_language_public_symbol(language, alias ? alias : ts_subtree_symbol(node)),
    .field = field,
    .named = alias ? ts_language_symbol_metadata(language, alias).named : ts_subtree_named(node),
    .missing = ts_subtree_missing(node),
    .faulty = ts_subtree_error_cost(node) > 0,
  };
}

// The visible nodes of a tree, in preorder.
const Seen *rubric_flatten(const TSTree *tree, uint32_t *count) {
  const TSLanguage *language = tree->language;
  uint32_t root = ts_subtree_padding(tree->root).bytes;
  Array(Seen) out = array_new();
  Array(Level) levels = array_new();
  array_reserve(&out, 1 + ts_subtree_visible_descendant_count(tree->root));
  array_push(&out, see(language, tree->root, 0, 0, root, 0, 0));
  if (ts_subtree_child_count(tree->root) > 0) array_push(&levels, level(language, tree->root, root, 0, 0));
  while (levels.size > 0) {
    Level *at = array_back(&levels);
    if (at->next == at->node.ptr->child_count) {
      out.contents[at->seen].last = out.size; // a hidden node leaves what the visible one around it overwrites
      levels.size--;
      continue;
    }
    Subtree child = ts_subtree_children(at->node)[at->next];
    if (at->next++ > 0) at->start += ts_subtree_padding(child).bytes;
    uint32_t start = at->start, seen = at->seen;
    at->start += ts_subtree_size(child).bytes;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!ts_subtree_extra(child)) {
      uint32_t structural = at->structural++;
      if (at->aliases) alias = at->aliases[structural];
      field = at->field;
      const TSFieldMapEntry *map, *end;
      ts_language_field_map(language, at->node.ptr->production_id, &map, &end);
      for (; map < end; map++) {
        if (!map->inherited && map->child_index == structural) {
          field = map->field_id;
          break;
        }
      }
    }
    bool visible = alias || ts_subtree_visible(child);
    if (visible) {
      Seen node = see(language, child, alias, field, start, seen, out.size);
      seen = out.size;
      array_push(&out, node);
    }
    if (ts_subtree_visible_child_count(child) > 0) array_push(&levels, level(language, child, start, seen, visible ? 0 : field));
  }
  *count = out.size;
  return out.contents;
}
