//! What CodeBLEU knows of each language: its keywords, and its data flow as the package
//! `codebleu` 0.7.0 has it and as the grammar has it.

use super::dataflow::Relation::{ComesFrom, ComputedFrom};
use super::dataflow::Rules;
use super::dataflow::Sides::{Fields, First, Function, Last, Two};

/// What CodeBLEU knows of a language.
pub struct Known {
    /// The package's list, joined by spaces.
    pub keywords: &'static str,
    /// Whether comments begin with `#`, and strings that stand alone are docstrings.
    pub python: bool,
    /// The package's data flow.
    pub package: Rules,
    /// The corrected one.
    pub corrected: Rules,
}

/// The parts of a rule that are empty for most languages.
const NONE: Rules = Rules { flows: &[], updates: &[], branches: &[], alternatives: &[], keeps: false, loops: &[], each: &[], whiles: &[], first: &[], pairs: false };

/// The package walks C and C++ as C#.
const C_SHARP: Rules = Rules {
    flows: &[("variable_declarator", Two, ComesFrom), ("assignment_expression", Fields("left", "right"), ComputedFrom)],
    updates: &["postfix_unary_expression"],
    branches: &["if_statement", "else"],
    loops: &[("for_statement", &["local_variable_declaration"])],
    each: &[("for_each_statement", "left", "right")],
    whiles: &["while_statement"],
    ..NONE
};

/// What C and C++ share.
const C_CORRECTED: Rules = Rules {
    flows: &[
        ("init_declarator", Fields("declarator", "value"), ComesFrom),
        ("optional_parameter_declaration", Fields("declarator", "default_value"), ComesFrom),
        ("assignment_expression", Fields("left", "right"), ComputedFrom),
    ],
    updates: &["update_expression"],
    branches: &["if_statement"],
    alternatives: &["else_clause"],
    loops: &[("for_statement", &["declaration", "assignment_expression", "comma_expression"])],
    each: &[("for_range_loop", "declarator", "right")],
    whiles: &["while_statement", "do_statement"],
    ..NONE
};

/// python
pub const PYTHON: Known = Known {
    keywords: "False None True and as assert async await break class continue def del elif else except finally for \
        from global if import in is lambda nonlocal not or pass raise return try while with yield match case \
        type",
    python: true,
    package: Rules {
        flows: &[
            ("default_parameter", Fields("name", "value"), ComesFrom),
            ("assignment", Fields("left", "right"), ComputedFrom),
            ("augmented_assignment", Fields("left", "right"), ComputedFrom),
            ("for_in_clause", Last("left"), ComputedFrom),
        ],
        branches: &["if_statement"],
        alternatives: &["elif_clause", "else_clause"],
        each: &[("for_statement", "left", "right")],
        whiles: &["while_statement"],
        first: &["for_in_clause"],
        pairs: true,
        ..NONE
    },
    corrected: Rules {
        flows: &[
            ("default_parameter", Fields("name", "value"), ComesFrom),
            ("typed_default_parameter", Fields("name", "value"), ComesFrom),
            ("assignment", Fields("left", "right"), ComputedFrom),
            ("augmented_assignment", Fields("left", "right"), ComputedFrom),
            ("named_expression", Fields("name", "value"), ComputedFrom),
            ("as_pattern", First("alias"), ComputedFrom),
            ("for_in_clause", Last("left"), ComputedFrom),
        ],
        branches: &["if_statement"],
        alternatives: &["elif_clause", "else_clause"],
        each: &[("for_statement", "left", "right")],
        whiles: &["while_statement"],
        first: &["for_in_clause"],
        pairs: true,
        ..NONE
    },
};

/// javascript
pub const JAVASCRIPT: Known = Known {
    keywords: "await break case catch class const continue debugger default delete do else enum export extends \
        false finally for function if implements import in instanceof interface let new null package private \
        protected public return super switch static this throw try True typeof var void while with yield",
    python: false,
    package: Rules {
        flows: &[
            ("variable_declarator", Fields("name", "value"), ComesFrom),
            ("assignment_pattern", Fields("left", "right"), ComputedFrom),
            ("augmented_assignment_expression", Fields("left", "right"), ComputedFrom),
        ],
        updates: &["update_expression"],
        branches: &["if_statement", "else"],
        keeps: true,
        loops: &[("for_statement", &["variable_declaration"])],
        whiles: &["while_statement"],
        ..NONE
    },
    corrected: Rules {
        flows: &[
            ("variable_declarator", Fields("name", "value"), ComesFrom),
            ("assignment_pattern", Fields("left", "right"), ComputedFrom),
            ("assignment_expression", Fields("left", "right"), ComputedFrom),
            ("augmented_assignment_expression", Fields("left", "right"), ComputedFrom),
        ],
        updates: &["update_expression"],
        branches: &["if_statement"],
        alternatives: &["else_clause"],
        loops: &[("for_statement", &["variable_declaration", "lexical_declaration", "expression_statement", "assignment_expression"])],
        each: &[("for_in_statement", "left", "right")],
        whiles: &["while_statement", "do_statement"],
        ..NONE
    },
};

/// go
pub const GO: Known = Known {
    keywords: "break default func interface select case defer go map struct chan else goto package switch const \
        fallthrough if range type continue for import return var false true",
    python: false,
    package: Rules {
        flows: &[("var_spec", Fields("name", "value"), ComesFrom), ("assignment_statement", Fields("left", "right"), ComputedFrom)],
        updates: &["inc_statement"],
        branches: &["if_statement", "else"],
        keeps: true,
        loops: &[("for_statement", &["for_clause"])],
        ..NONE
    },
    corrected: Rules {
        flows: &[
            ("var_spec", Fields("name", "value"), ComesFrom),
            ("const_spec", Fields("name", "value"), ComesFrom),
            ("short_var_declaration", Fields("left", "right"), ComputedFrom),
            ("assignment_statement", Fields("left", "right"), ComputedFrom),
            ("range_clause", Fields("left", "right"), ComputedFrom),
        ],
        updates: &["inc_statement", "dec_statement"],
        branches: &["if_statement", "else"],
        loops: &[("for_statement", &["for_clause", "range_clause"])],
        ..NONE
    },
};

/// java
pub const JAVA: Known = Known {
    keywords: "abstract assert boolean break byte case catch char class const continue default do double else enum \
        extends final finally float for goto if implements import instanceof int interface long native new \
        package private protected public return short static strictfp super switch synchronized this throw \
        throws transient try void volatile while",
    python: false,
    package: Rules {
        flows: &[("variable_declarator", Fields("name", "value"), ComesFrom), ("assignment_expression", Fields("left", "right"), ComputedFrom)],
        updates: &["update_expression"],
        branches: &["if_statement", "else"],
        loops: &[("for_statement", &["local_variable_declaration"])],
        each: &[("enhanced_for_statement", "name", "value")],
        whiles: &["while_statement"],
        ..NONE
    },
    corrected: Rules {
        flows: &[("variable_declarator", Fields("name", "value"), ComesFrom), ("assignment_expression", Fields("left", "right"), ComputedFrom)],
        updates: &["update_expression"],
        branches: &["if_statement", "else"],
        loops: &[("for_statement", &["local_variable_declaration", "assignment_expression"])],
        each: &[("enhanced_for_statement", "name", "value")],
        whiles: &["while_statement", "do_statement"],
        ..NONE
    },
};

/// c
pub const C: Known = Known {
    keywords: "auto else long switch break enum register typedef case extern return union char float short unsigned \
        const for signed void continue goto sizeof volatile default if static while do int struct _Packed \
        double",
    python: false,
    package: C_SHARP,
    corrected: C_CORRECTED,
};

/// cpp
pub const CPP: Known = Known {
    keywords: "auto const double float int short struct unsigned break continue else for long signed switch void \
        case default enum goto register sizeof typedef volatile char do extern if return static union while \
        asm dynamic_cast namespace reinterpret_cast bool explicit new static_cast typeid catch false try \
        operator template typename class friend private this using const_cast inline public throw virtual \
        delete mutable protected true wchar_t and bitand compl not_eq or_eq xor_eq and_eq bitor not or xor \
        cin endl INT_MIN iomanip main npos std cout include INT_MAX iostream MAX_RAND NULL string",
    python: false,
    package: C_SHARP,
    corrected: C_CORRECTED,
};

/// rust
pub const RUST: Known = Known {
    keywords: "as async await block bool break char const continue crate default dyn else enum expr extern f32 f64 \
        false fn for i128 i16 i32 i64 i8 ident if impl in isize item let lifetime literal loop macro_rules! \
        match meta mod move mut pat path pub ref return self static stmt str struct super trait true tt ty \
        type u128 u16 u32 u64 u8 union unsafe use usize vis where while yield",
    python: false,
    package: Rules {
        flows: &[
            ("function_item", Function, ComesFrom),
            ("assignment_expression", Fields("left", "right"), ComputedFrom),
            ("compound_assignment_expr", Fields("left", "right"), ComputedFrom),
            ("let_expression", Fields("left", "right"), ComputedFrom),
        ],
        branches: &["if_expression", "if_let_expression", "match_expression", "else"],
        loops: &[("for_expression", &["local_variable_declaration"])],
        each: &[("for_each_statement", "left", "right")],
        whiles: &["while_expression", "while_let_expression", "loop_expression"],
        ..NONE
    },
    corrected: Rules {
        flows: &[
            ("let_declaration", Fields("pattern", "value"), ComesFrom),
            ("let_condition", Fields("pattern", "value"), ComesFrom),
            ("assignment_expression", Fields("left", "right"), ComputedFrom),
            ("compound_assignment_expr", Fields("left", "right"), ComputedFrom),
        ],
        branches: &["if_expression"],
        alternatives: &["else_clause"],
        each: &[("for_expression", "pattern", "value")],
        whiles: &["while_expression", "loop_expression"],
        ..NONE
    },
};
