//! The syntax of SGF: game trees, nodes, properties and values, independent of the game.

use std::borrow::Cow;

/// A node: its properties, in order.
#[derive(Debug, Default)]
pub struct Node<'a>(
    /// The properties.
    pub Vec<Property<'a>>,
);

impl<'a> Node<'a> {
    /// Returns the first value of a property, as it is written.
    #[must_use]
    pub fn first(&self, name: &str) -> Option<&'a str> {
        let property = self.0.iter().find(|property| property.name == name)?;
        property.values.first().copied()
    }

    /// Returns whether dots are placed that are not moves.
    #[must_use]
    pub fn sets_up(&self) -> bool {
        let sets_up = |property: &Property| matches!(&*property.name, "AB" | "AW");
        self.0.iter().any(sets_up)
    }
}

/// A property: an identifier and its raw values.
#[derive(Debug)]
pub struct Property<'a> {
    /// The identifier, without its lower-case letters.
    pub name: Cow<'a, str>,
    /// The values as they are written, with their escapes.
    pub values: Vec<&'a str>,
}

/// A place where a text is malformed, as the index of a byte, and the way in which reading went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// This byte is no SGF and was skipped.
    Skipped(usize),
    /// The text ends in the middle of a value that begins here, or before the tree does.
    CutOff(usize),
}

/// The nodes of a game tree in the order of the text, so that each comes after its parent.
#[derive(Debug, Default)]
pub struct GameTree<'a> {
    /// The nodes.
    pub nodes: Vec<Node<'a>>,
    /// The place of each node's parent; that of the root is its own.
    pub parents: Vec<usize>,
    /// The number of nodes on the main line. They are the first ones: the main line takes the first variation at each branch, and
    /// ends with the first `)`.
    pub main_line: usize,
    /// The first malformed place of the text. Its missing end comes before anything that was skipped.
    pub damage: Option<Damage>,
}

/// The game trees of a text, none if it contains none.
///
/// Nothing is an error: text that cannot be read is skipped, and a tree that has no end ends with the text. Nothing is recursive
/// either, because anybody may write a text of a million parentheses.
#[must_use]
pub fn game_trees(text: &str) -> Vec<GameTree<'_>> {
    let mut trees = Vec::new();
    let mut at = 0;
    while let Some(start) = game_tree_start(&text[at..]) {
        let mut tree = GameTree::default();
        at = read_nodes(text, at + start, &mut tree);
        if tree.main_line == 0 {
            tree.main_line = tree.nodes.len();
        }
        trees.push(tree);
    }
    trees
}

/// Reads nodes up to the end of the tree; returns the place of that end.
fn read_nodes<'a>(text: &'a str, mut at: usize, tree: &mut GameTree<'a>) -> usize {
    let bytes = text.as_bytes();
    // The node after which the next one comes, and for each open parenthesis the node before it.
    let mut parent = 0;
    let mut branches = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => {
                tree.parents.push(parent);
                parent = tree.nodes.len();
                tree.nodes.push(Node::default());
                at += 1;
            }
            b'(' => {
                branches.push(parent);
                at += 1;
            }
            b')' => {
                if tree.main_line == 0 {
                    tree.main_line = tree.nodes.len();
                }
                at += 1;
                // The tree begins with a parenthesis, so there is a node.
                parent = branches.pop().unwrap_or_default();
                if branches.is_empty() {
                    return at;
                }
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            byte if byte.is_ascii_alphabetic() => match property(text, at) {
                Ok((property, end)) => {
                    // A name without a value means nothing, as `LB` where nothing is labelled.
                    if !property.values.is_empty()
                        && let Some(node) = tree.nodes.get_mut(parent)
                    {
                        node.0.push(property);
                    } else if property.name.is_empty() {
                        tree.damage.get_or_insert(Damage::Skipped(at));
                    }
                    at = end;
                }
                Err(opens) => {
                    tree.damage = Some(Damage::CutOff(opens));
                    return text.len();
                }
            },
            _ => {
                tree.damage.get_or_insert(Damage::Skipped(at));
                at += 1;
            }
        }
    }
    tree.damage = Some(Damage::CutOff(at));
    at
}

/// Finds the beginning of the next game tree. In mails and forums there may be text before it.
fn game_tree_start(text: &str) -> Option<usize> {
    text.match_indices('(')
        .map(|(at, _)| at)
        .find(|at| text[at + 1..].trim_ascii_start().starts_with(';'))
}

/// Parses the property that begins at `from`; returns its end, too.
///
/// # Errors
///
/// The beginning of a value that has no end.
fn property(text: &str, from: usize) -> Result<(Property<'_>, usize), usize> {
    let bytes = text.as_bytes();
    let letters = |byte: &&u8| byte.is_ascii_alphabetic();
    let mut at = from + bytes[from..].iter().take_while(letters).count();
    let written = &text[from..at];
    // Before FF[4], identifiers could contain lower-case letters, which are ignored.
    let name = if written.bytes().all(|byte| byte.is_ascii_uppercase()) {
        Cow::Borrowed(written)
    } else {
        Cow::Owned(written.chars().filter(char::is_ascii_uppercase).collect())
    };
    let mut values = Vec::new();
    loop {
        let opens = at + bytes[at..].len() - bytes[at..].trim_ascii_start().len();
        if bytes.get(opens) != Some(&b'[') {
            break;
        }
        let closes = closing_bracket(bytes, opens + 1).ok_or(opens)?;
        values.push(&text[opens + 1..closes]);
        at = closes + 1;
    }
    Ok((Property { name, values }, at))
}

/// Finds the bracket that closes a value: the first one that is not escaped.
fn closing_bracket(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// A value of the SGF type `SimpleText`: without escapes, each whitespace character a space.
#[must_use]
pub fn simple_text(value: &str) -> String {
    let one_line = |c: char| if c.is_whitespace() { ' ' } else { c };
    text(value).chars().map(one_line).collect()
}

/// A value of the SGF type `Text`: without escapes and escaped line breaks.
#[must_use]
pub fn text(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = c == '\\';
        let c = if escaped { characters.next() } else { Some(c) };
        match c {
            // A line break is LF, CR, LFCR or CRLF.
            Some(end @ ('\r' | '\n')) => {
                let other = if end == '\r' { '\n' } else { '\r' };
                characters.next_if_eq(&other);
                if !escaped {
                    text.push('\n');
                }
            }
            Some(c) => text.push(c),
            None => {}
        }
    }
    text
}

/// Escapes a text for a value.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let trees = game_trees(text);
        let tree = trees.first().expect("a tree");
        let node = |node: &Node| -> String {
            let property =
                |property: &Property| format!("{}[{}]", property.name, property.values.join("]["));
            let properties: String = node.0.iter().map(property).collect();
            format!(";{properties}")
        };
        let main_line = &tree.nodes[..tree.main_line];
        assert_eq!(main_line.iter().map(node).collect::<String>(), expected);
    }

    #[test]
    fn variations_know_what_they_follow() {
        let parents = |text| game_trees(text).swap_remove(0).parents;
        assert_eq!(
            parents("(;A[0];B[1](;C[2](;D[3])(;E[4];F[5]))(;G[6]);H[7])(;I[8])"),
            [0, 0, 1, 2, 2, 4, 1, 1]
        );
        assert_eq!(
            parents("(;A[0](;B[1])(;C[2]) what is broken is skipped (;D[3]))"),
            [0, 0, 0, 0]
        );
    }

    #[test]
    fn nodes_have_properties_with_values() {
        check("(;FF[4]AB[aa][bb];B[cc])", ";FF[4]AB[aa][bb];B[cc]");
        check(
            " (\r\n; FF [4]\n\tAB[aa] [bb] ; ; B[]",
            ";FF[4]AB[aa][bb];;B[]",
        );
        check("see (this): (;GaMe[40])", ";GM[40]");
        check(r"(;C[a \] b \\];B[aa])", r";C[a \] b \\];B[aa]");
    }

    #[test]
    fn the_main_line_is_the_first_variation() {
        check("(;A[1](;B[2](;C[3])(;D[4]))(;E[5]))", ";A[1];B[2];C[3]");
        check("(;A[1])(;B[2])", ";A[1]");
        check("(;A[1](;B[2]) this is not parsed", ";A[1];B[2]");
    }

    #[test]
    fn damage_has_a_place_and_reading_goes_on() {
        let read = |text| -> (Option<Damage>, usize) {
            let tree = game_trees(text).swap_remove(0);
            (tree.damage, tree.nodes.len())
        };
        assert_eq!(read("(;B[aa];W[bb])"), (None, 2));
        assert_eq!(read("(;B[aa];7;W[bb])"), (Some(Damage::Skipped(8)), 3));
        assert_eq!(read("(;B[aa]:-]!;W[bb])"), (Some(Damage::Skipped(7)), 2));
        assert_eq!(read("(;B[aa] ё ;W[bb])"), (Some(Damage::Skipped(8)), 2));
        assert_eq!(
            read("(;B[aa] so what;W[bb])"),
            (Some(Damage::Skipped(8)), 2)
        );
        assert_eq!(read("(;[aa])"), (Some(Damage::Skipped(2)), 1));
        // The missing end of the text takes precedence over the damage before it.
        assert_eq!(read("(;B[aa];7;W[b"), (Some(Damage::CutOff(11)), 3));
        assert_eq!(read("(;B[aa];W[bb]"), (Some(Damage::CutOff(13)), 2));
        assert_eq!(read("(;C[no end\\"), (Some(Damage::CutOff(3)), 1));
        for none in ["a letter to a friend :-(", "", "(((((", "()", ";B[aa]"] {
            assert!(game_trees(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn properties_without_values_say_nothing() {
        check("(;GM[40]LB;B[aa]LB MN TR[aa];KO)", ";GM[40];B[aa]TR[aa];");
        let tree = game_trees("(;GM[40]LB;B[aa]LB)").swap_remove(0);
        assert_eq!(tree.damage, None);
    }

    #[test]
    fn a_text_has_several_trees() {
        let lines = |text| -> Vec<usize> {
            let trees = game_trees(text);
            trees.iter().map(|tree| tree.main_line).collect()
        };
        assert_eq!(
            lines("(;A[1];B[2])(;C[3](;D[4])(;E[5]))\n\nand (this):(;)"),
            [2, 2, 1]
        );
        // A tree that follows a tree without an end is a variation of it.
        assert_eq!(lines("(;A[1];B[2](;C[3])"), [3]);
    }

    #[test]
    fn a_million_parentheses_overflow_no_stack() {
        for piece in ["(", "(;A[1](;B[2])", ";", "()", ")"] {
            let text = format!("(;{}", piece.repeat(1_000_000));
            let nodes: usize = game_trees(&text).iter().map(|tree| tree.nodes.len()).sum();
            assert_eq!(nodes, text.matches(';').count(), "{piece}");
        }
        assert!(game_trees(&"(".repeat(1_000_000)).is_empty());
    }

    #[test]
    fn escapes_are_removed_from_texts() {
        assert_eq!(text(r"a\]b\\c\d"), r"a]b\cd");
        assert_eq!(text("one\r\ntwo\nthree\\\nfour\\"), "one\ntwo\nthreefour");
        assert_eq!(simple_text("one\r\ntwo\tthree"), "one two three");
        let hostile = r"]B[aa]\(;";
        assert_eq!(text(&escaped(hostile)), hostile);
    }
}
