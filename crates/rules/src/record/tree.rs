//! The syntax of SGF: game trees, nodes, properties and values, independent of the game.

use std::borrow::Cow;

/// A node: its properties, in order.
#[derive(Debug, Default)]
pub(super) struct Node<'a>(pub(super) Vec<Property<'a>>);

/// A property: an identifier and its raw values.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) values: Vec<&'a str>,
}

/// A syntax error at this byte of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SyntaxError(pub(super) usize);

/// The nodes of the main line of the first game tree; `None` if the text contains none.
///
/// The main line takes the first variation at each branch, so it ends with the first `)`, and the rest of the text is not
/// parsed. A missing end of the game tree is accepted.
pub(super) fn main_line(text: &str) -> Result<Option<Vec<Node<'_>>>, SyntaxError> {
    let Some(mut at) = game_tree_start(text) else {
        return Ok(None);
    };
    let bytes = text.as_bytes();
    let mut nodes: Vec<Node> = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => {
                nodes.push(Node::default());
                at += 1;
            }
            b')' => break,
            b'(' => at += 1,
            byte if byte.is_ascii_whitespace() => at += 1,
            byte if byte.is_ascii_alphabetic() => {
                let (property, end) = property(text, at)?;
                nodes.last_mut().ok_or(SyntaxError(at))?.0.push(property);
                at = end;
            }
            _ => return Err(SyntaxError(at)),
        }
    }
    Ok(Some(nodes))
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
        let nodes = main_line(text).unwrap().unwrap();
        let node = |node: &Node| -> String {
            let property =
                |property: &Property| format!("{}[{}]", property.name, property.values.join("]["));
            let properties: String = node.0.iter().map(property).collect();
            format!(";{properties}")
        };
        assert_eq!(nodes.iter().map(node).collect::<String>(), expected);
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
        let error_at = |text| main_line(text).unwrap_err().0;
        assert_eq!(error_at("(;B[aa];7)"), 8);
        assert_eq!(error_at("(;B)"), 3);
        assert_eq!(error_at("(;C[no end"), 3);
        assert_eq!(error_at("(;C[no end\\"), 3);
        assert_eq!(error_at("(;[aa])"), 2);
        assert!(main_line("a letter to a friend :-(").unwrap().is_none());
        assert!(main_line("").unwrap().is_none());
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
