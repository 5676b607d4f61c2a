//! The syntax of SGF: game trees, nodes, properties and values, independent of the game.

use std::borrow::Cow;

/// A node: its properties, in order.
#[derive(Debug, Default)]
pub(super) struct Node<'a>(pub(super) Vec<Property<'a>>);

impl Node<'_> {
    /// Whether dots are placed that are not moves.
    pub(super) fn sets_up(&self) -> bool {
        let sets_up = |property: &Property| matches!(&*property.name, "AB" | "AW");
        self.0.iter().any(sets_up)
    }
}

/// A property: an identifier and its raw values.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) values: Vec<&'a str>,
}

/// A syntax error at this byte of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SyntaxError(pub(super) usize);

/// The nodes of a game tree in the order of the text, so that each comes after its parent.
#[derive(Debug, Default)]
pub(super) struct GameTree<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// The place of each node's parent; that of the root is its own.
    pub(super) parents: Vec<usize>,
    /// How many nodes are on the main line. They are the first ones: it takes the first variation at each branch, and ends
    /// with the first `)`.
    pub(super) main_line: usize,
}

/// The first game tree; `None` if the text contains none.
///
/// A missing end of the tree is accepted. A syntax error after the main line ends the tree there.
pub(super) fn game_tree(text: &str) -> Result<Option<GameTree<'_>>, SyntaxError> {
    let Some(from) = game_tree_start(text) else {
        return Ok(None);
    };
    let mut tree = GameTree::default();
    let read = read_nodes(text, from, &mut tree);
    if tree.main_line == 0 {
        read?;
        tree.main_line = tree.nodes.len();
    }
    Ok(Some(tree))
}

/// Reads nodes up to the end of the tree.
fn read_nodes<'a>(
    text: &'a str,
    mut at: usize,
    tree: &mut GameTree<'a>,
) -> Result<(), SyntaxError> {
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
                parent = branches.pop().ok_or(SyntaxError(at))?;
                if branches.is_empty() {
                    return Ok(());
                }
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            byte if byte.is_ascii_alphabetic() => {
                let (property, end) = property(text, at)?;
                let node = tree.nodes.get_mut(parent).ok_or(SyntaxError(at))?;
                node.0.push(property);
                at = end;
            }
            _ => return Err(SyntaxError(at)),
        }
    }
    Ok(())
}

/// Where the first game tree begins. In mails and forums there may be text before it.
fn game_tree_start(text: &str) -> Option<usize> {
    text.match_indices('(')
        .map(|(at, _)| at)
        .find(|at| text[at + 1..].trim_ascii_start().starts_with(';'))
}

/// Parses the property that begins at `from`; returns its end, too.
fn property(text: &str, from: usize) -> Result<(Property<'_>, usize), SyntaxError> {
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
        let closes = closing_bracket(bytes, opens + 1).ok_or(SyntaxError(opens))?;
        values.push(&text[opens + 1..closes]);
        at = closes + 1;
    }
    if values.is_empty() {
        return Err(SyntaxError(at));
    }
    Ok((Property { name, values }, at))
}

/// The bracket that closes a value: the first one that is not escaped.
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
pub(super) fn simple_text(value: &str) -> String {
    let one_line = |c: char| if c.is_whitespace() { ' ' } else { c };
    text(value).chars().map(one_line).collect()
}

/// A value of the SGF type `Text`: without escapes and escaped line breaks.
pub(super) fn text(value: &str) -> String {
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
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tree = game_tree(text).unwrap().unwrap();
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
        let parents = |text| game_tree(text).unwrap().unwrap().parents;
        assert_eq!(
            parents("(;A[0];B[1](;C[2](;D[3])(;E[4];F[5]))(;G[6]);H[7])(;I[8])"),
            [0, 0, 1, 2, 2, 4, 1, 1]
        );
        assert_eq!(
            parents("(;A[0](;B[1])(;C[2]) what is broken ends it (;D[3]))"),
            [0, 0, 0]
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
    fn syntax_errors_have_a_position() {
        let error_at = |text| game_tree(text).unwrap_err().0;
        assert_eq!(error_at("(;B[aa];7)"), 8);
        assert_eq!(error_at("(;B)"), 3);
        assert_eq!(error_at("(;C[no end"), 3);
        assert_eq!(error_at("(;C[no end\\"), 3);
        assert_eq!(error_at("(;[aa])"), 2);
        assert!(game_tree("a letter to a friend :-(").unwrap().is_none());
        assert!(game_tree("").unwrap().is_none());
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
