//! The outer form of SGF: nodes, their properties, and the texts in them. It knows no game.

use std::borrow::Cow;

/// One node: its properties as they stand.
#[derive(Debug, Default)]
pub(super) struct Node<'a>(pub(super) Vec<Property<'a>>);

/// A name with all its values, which are still as they were written.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) values: Vec<&'a str>,
}

/// At this byte of the text the form is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken(pub(super) usize);

/// The nodes of the main line of the first game; nothing, where no game begins.
///
/// The main line takes the first branch wherever there are several, so it ends where the first branch does: what follows
/// is not looked at. A file that ends in the midst of its nodes is taken as it is.
pub(super) fn main_line(text: &str) -> Result<Option<Vec<Node<'_>>>, Broken> {
    let Some(mut at) = beginning(text) else {
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
                nodes.last_mut().ok_or(Broken(at))?.0.push(property);
                at = end;
            }
            _ => return Err(Broken(at)),
        }
    }
    Ok(Some(nodes))
}

/// Where the first game begins. Mail and forums put words before it.
fn beginning(text: &str) -> Option<usize> {
    text.match_indices('(')
        .map(|(at, _)| at)
        .find(|at| text[at + 1..].trim_ascii_start().starts_with(';'))
}

/// The property that begins here, and where it ends.
fn property(text: &str, from: usize) -> Result<(Property<'_>, usize), Broken> {
    let bytes = text.as_bytes();
    let letters = |byte: &&u8| byte.is_ascii_alphabetic();
    let mut at = from + bytes[from..].iter().take_while(letters).count();
    let written = &text[from..at];
    // Older versions of SGF spelt names out, and only their capitals count.
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
        let closes = closing(bytes, opens + 1).ok_or(Broken(opens))?;
        values.push(&text[opens + 1..closes]);
        at = closes + 1;
    }
    if values.is_empty() {
        return Err(Broken(at));
    }
    Ok((Property { name, values }, at))
}

/// The bracket that closes a value: the first that is not escaped.
fn closing(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// What a value says in one line: escapes taken away, every blank a space.
pub(super) fn simple_text(value: &str) -> String {
    let one_line = |c: char| if c.is_whitespace() { ' ' } else { c };
    text(value).chars().map(one_line).collect()
}

/// What a value says: escapes taken away, and with them the line ends that they stand before.
pub(super) fn text(value: &str) -> String {
    let mut said = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = c == '\\';
        let c = if escaped { characters.next() } else { Some(c) };
        match c {
            // A line end is one of four, and two different characters in a row are one.
            Some(end @ ('\r' | '\n')) => {
                let other = if end == '\r' { '\n' } else { '\r' };
                characters.next_if_eq(&other);
                if !escaped {
                    said.push('\n');
                }
            }
            Some(c) => said.push(c),
            None => {}
        }
    }
    said
}

/// A text as a value has it.
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
    fn the_main_line_is_the_first_branch() {
        check("(;A[1](;B[2](;C[3])(;D[4]))(;E[5]))", ";A[1];B[2];C[3]");
        check("(;A[1])(;B[2])", ";A[1]");
        check(
            "(;A[1](;B[2]) what comes here is not looked at",
            ";A[1];B[2]",
        );
    }

    #[test]
    fn what_is_broken_says_where() {
        let broken = |text| main_line(text).unwrap_err().0;
        assert_eq!(broken("(;B[aa];7)"), 8);
        assert_eq!(broken("(;B)"), 3);
        assert_eq!(broken("(;C[no end"), 3);
        assert_eq!(broken("(;C[no end\\"), 3);
        assert_eq!(broken("(;[aa])"), 2);
        assert!(main_line("a letter to a friend :-(").unwrap().is_none());
        assert!(main_line("").unwrap().is_none());
    }

    #[test]
    fn texts_lose_their_escapes() {
        assert_eq!(text(r"a\]b\\c\d"), r"a]b\cd");
        assert_eq!(text("one\r\ntwo\nthree\\\nfour\\"), "one\ntwo\nthreefour");
        assert_eq!(simple_text("one\r\ntwo\tthree"), "one two three");
        let hostile = r"]B[aa]\(;";
        assert_eq!(text(&escaped(hostile)), hostile);
    }
}
