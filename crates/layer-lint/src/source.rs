//! The source files of a crate as modules: their paths, imports, definitions and tokens. Items under `#[cfg(test)]` are
//! left out, because tests may look wherever they like.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The names from the crate's root to a module; the root is empty.
pub(crate) type ModulePath = Vec<String>;

/// A place in the sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A path in the code, such as `crate::db::Db`.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub(crate) segments: Vec<String>,
    pub(crate) place: Place,
    pub(crate) how: How,
}

/// The way in which a path is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// `use a::B`.
    Import,
    /// `pub use a::B`.
    Reexport,
    /// Anywhere else.
    Expression,
    /// Followed by `!`.
    Macro,
}

/// A module, which may be a file or a block.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) mentions: Vec<Mention>,
    /// The names that `use` makes known, and their paths.
    pub(crate) aliases: BTreeMap<String, Vec<String>>,
    /// The paths of `use a::*`.
    pub(crate) globs: Vec<Vec<String>>,
    /// Items defined here.
    pub(crate) items: BTreeSet<String>,
    /// Float literals, for the crates that have none.
    pub(crate) floats: Vec<Place>,
    /// Durations in numbers, such as `Duration::from_secs(1)`.
    pub(crate) durations: Vec<Place>,
}

/// A crate as its modules.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

/// Words that begin an item, which goes on to its block or to `;`.
const ITEM: [&str; 14] = [
    "pub",
    "fn",
    "struct",
    "enum",
    "impl",
    "mod",
    "const",
    "static",
    "trait",
    "type",
    "union",
    "macro_rules",
    "async",
    "extern",
];

impl Source {
    /// Reads `folder`, which is the `src` of a crate. Another binary's `main.rs` beside a `lib.rs` is a crate of its own
    /// and is left out.
    pub(crate) fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut files = Vec::new();
        find(folder, &mut files)?;
        files.sort();
        let has_lib = folder.join("lib.rs").exists();
        let mut reader = Reader::default();
        for file in files {
            let mut path: ModulePath = (file.strip_prefix(folder)?.iter())
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            let name = path.pop().unwrap_or_default();
            match (path.is_empty(), name.as_str()) {
                (true, "main.rs") if has_lib => continue,
                (true, "lib.rs" | "main.rs") | (false, "mod.rs") => {}
                _ => path.push(name.trim_end_matches(".rs").to_owned()),
            }
            let text = fs::read_to_string(&file)?;
            reader.add(&file, path, &text)?;
        }
        Ok(reader.finish())
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Collects modules file by file.
#[derive(Default)]
pub(crate) struct Reader {
    source: Source,
    tests: BTreeSet<ModulePath>,
    file: PathBuf,
}

impl Reader {
    pub(crate) fn add(
        &mut self,
        file: &Path,
        path: ModulePath,
        text: &str,
    ) -> Result<(), Box<dyn Error>> {
        file.clone_into(&mut self.file);
        let tokens: TokenStream = (text.parse())
            .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        self.walk(&path, tokens);
        Ok(())
    }

    /// Returns the crate without the modules of which another file has said that they are tests.
    pub(crate) fn finish(mut self) -> Source {
        let tests = self.tests;
        self.source
            .modules
            .retain(|path, _| !(1..=path.len()).any(|length| tests.contains(&path[..length])));
        self.source
    }

    fn module(&mut self, path: &ModulePath) -> &mut Module {
        self.source.modules.entry(path.clone()).or_default()
    }

    fn place(&self, token: &TokenTree) -> Place {
        Place {
            file: self.file.clone(),
            line: token.span().start().line,
        }
    }

    fn walk(&mut self, path: &ModulePath, tokens: TokenStream) {
        self.module(path);
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let mut is_public = false;
        while at < tokens.len() {
            if let Some(content) = attribute(&tokens, at) {
                let end = after_attributes(&tokens, at);
                if is_test(&content) {
                    self.note_test(path, &tokens[end..]);
                    at = after_item(&tokens, end);
                } else {
                    self.texts(path, content);
                    // `#`, perhaps `!`, and the brackets.
                    at += if is_punct(tokens.get(at + 1), '!') {
                        3
                    } else {
                        2
                    };
                }
                continue;
            }
            match &tokens[at] {
                // A lifetime.
                TokenTree::Punct(punct) if punct.as_char() == '\'' => at += 2,
                TokenTree::Punct(_) => at += 1,
                TokenTree::Group(group) => {
                    self.walk(path, group.stream());
                    at += 1;
                }
                TokenTree::Literal(literal) => {
                    // The places of a tuple in a tuple look like one: `pair.0.1`.
                    let is_member = at > 0
                        && is_punct(tokens.get(at - 1), '.')
                        && !(at > 1 && is_punct(tokens.get(at - 2), '.'));
                    if is_float(&literal.to_string()) && !is_member {
                        let place = self.place(&tokens[at]);
                        self.module(path).floats.push(place);
                    }
                    at += 1;
                }
                TokenTree::Ident(ident) => match ident.to_string().as_str() {
                    // The code that a macro makes is of the crate which calls it.
                    "quote" if is_punct(tokens.get(at + 1), '!') => at += 3,
                    "pub" => {
                        is_public = true;
                        // `pub(in crate::ui)` imports nothing.
                        let is_scoped = matches!(tokens.get(at + 1), Some(TokenTree::Group(group))
                            if group.delimiter() == Delimiter::Parenthesis);
                        at += 1 + usize::from(is_scoped);
                        continue;
                    }
                    "use" if !is_punct(tokens.get(at + 1), '<') => {
                        let end = (tokens[at..]
                            .iter()
                            .position(|token| is_punct(Some(token), ';')))
                        .map_or(tokens.len(), |length| at + length);
                        let how = if is_public {
                            How::Reexport
                        } else {
                            How::Import
                        };
                        self.import(path, &[], &tokens[at + 1..end], how);
                        at = end + 1;
                    }
                    "mod" if matches!(tokens.get(at + 1), Some(TokenTree::Ident(_))) => {
                        let mut inner = path.clone();
                        inner.push(tokens[at + 1].to_string());
                        if let Some(TokenTree::Group(block)) = tokens.get(at + 2) {
                            self.walk(&inner, block.stream());
                        }
                        at += 3;
                    }
                    word => {
                        if let Some(TokenTree::Ident(name)) = tokens.get(at + 1)
                            && ITEM.contains(&word)
                        {
                            self.module(path).items.insert(name.to_string());
                        }
                        at = self.mention(path, &tokens, at);
                    }
                },
            }
            is_public = false;
        }
    }

    /// Reads the path that begins at `at`, and returns where it ends.
    fn mention(&mut self, path: &ModulePath, tokens: &[TokenTree], at: usize) -> usize {
        let mut segments = vec![tokens[at].to_string()];
        let mut end = at + 1;
        while is_colons(tokens, end)
            && let Some(TokenTree::Ident(name)) = tokens.get(end + 2)
        {
            segments.push(name.to_string());
            end += 3;
        }
        if is_duration(&segments, tokens.get(end)) {
            let place = self.place(&tokens[at]);
            self.module(path).durations.push(place);
        }
        let is_member = at > 0
            && is_punct(tokens.get(at - 1), '.')
            && !(at > 1 && is_punct(tokens.get(at - 2), '.'));
        // `<T as Trait>::Name` begins somewhere else.
        let goes_on = at > 1 && is_colons(tokens, at - 2);
        if !is_member && !goes_on {
            let how = if is_punct(tokens.get(end), '!') && !is_punct(tokens.get(end + 1), '=') {
                How::Macro
            } else {
                How::Expression
            };
            let place = self.place(&tokens[at]);
            self.module(path).mentions.push(Mention {
                segments,
                place,
                how,
            });
        }
        end
    }

    /// Reads the tokens between `use` and `;`, or a part of them within braces.
    fn import(&mut self, path: &ModulePath, before: &[String], tokens: &[TokenTree], how: How) {
        for part in tokens.split(|token| is_punct(Some(token), ',')) {
            let mut segments = before.to_vec();
            let (mut alias, mut is_whole) = (None, true);
            let mut rest = part.iter();
            while let Some(token) = rest.next() {
                match token {
                    TokenTree::Ident(word) if word == "as" => {
                        alias = rest.next().map(ToString::to_string);
                    }
                    TokenTree::Ident(word) => segments.push(word.to_string()),
                    TokenTree::Group(group) => {
                        let inner: Vec<_> = group.stream().into_iter().collect();
                        self.import(path, &segments, &inner, how);
                        is_whole = false;
                    }
                    TokenTree::Punct(punct) if punct.as_char() == '*' => {
                        let place = self.place(token);
                        let module = self.module(path);
                        module.globs.push(segments.clone());
                        module.mentions.push(Mention {
                            segments: segments.clone(),
                            place,
                            how,
                        });
                        is_whole = false;
                    }
                    _ => {}
                }
            }
            if !is_whole || part.is_empty() {
                continue;
            }
            if segments.last().is_some_and(|last| last == "self") && segments.len() > 1 {
                segments.pop();
            }
            let place = self.place(&part[0]);
            let name = alias.unwrap_or_else(|| segments.last().cloned().unwrap_or_default());
            let module = self.module(path);
            if name != "_" {
                module.aliases.insert(name, segments.clone());
            }
            module.mentions.push(Mention {
                segments,
                place,
                how,
            });
        }
    }

    /// Reads the paths that attributes name as texts, such as `#[serde(with = "crate::json")]`.
    fn texts(&mut self, path: &ModulePath, tokens: TokenStream) {
        for token in tokens {
            match &token {
                TokenTree::Group(group) => self.texts(path, group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let text = text.trim_matches('"');
                    if text.starts_with("crate::") || text.starts_with("super::") {
                        let mention = Mention {
                            segments: text.split("::").map(str::to_owned).collect(),
                            place: self.place(&token),
                            how: How::Expression,
                        };
                        self.module(path).mentions.push(mention);
                    }
                }
                _ => {}
            }
        }
    }

    /// Remembers a `mod name;` that is for tests alone.
    fn note_test(&mut self, path: &ModulePath, tokens: &[TokenTree]) {
        let words: Vec<_> = tokens.iter().take(5).map(ToString::to_string).collect();
        if let Some(at) = words.iter().position(|word| word == "mod")
            && words[..at]
                .iter()
                .all(|word| word == "pub" || word.starts_with('('))
            && words.get(at + 2).is_some_and(|word| word == ";")
        {
            let mut inner = path.clone();
            inner.push(words[at + 1].clone());
            self.tests.insert(inner);
        }
    }
}

/// Returns the content of the brackets of the attribute that begins at `at`, if there is one.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<TokenStream> {
    if !is_punct(tokens.get(at), '#') {
        return None;
    }
    let brackets = at + 1 + usize::from(is_punct(tokens.get(at + 1), '!'));
    match tokens.get(brackets)? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    }
}

fn after_attributes(tokens: &[TokenTree], mut at: usize) -> usize {
    while attribute(tokens, at).is_some() {
        at += 2;
    }
    at
}

fn is_test(attribute: &TokenStream) -> bool {
    let text: String = attribute.to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// Returns the end of the item, field or arm that begins at `at`.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let first = tokens.get(at).map(ToString::to_string).unwrap_or_default();
    let is_import = tokens[at..]
        .iter()
        .take(3)
        .any(|token| token.to_string() == "use");
    let is_item = ITEM.contains(&first.as_str());
    for (end, token) in tokens.iter().enumerate().skip(at) {
        let is_end = match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_import,
            TokenTree::Punct(punct) => {
                punct.as_char() == ';' || punct.as_char() == ',' && !is_item && !is_import
            }
            _ => false,
        };
        if is_end {
            return end + 1;
        }
    }
    tokens.len()
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(punct))
        if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
        && is_punct(tokens.get(at + 1), ':')
}

/// Returns whether a path and the token after it are a duration in numbers: `Duration::from_secs(24 * 60 * 60)`.
fn is_duration(path: &[String], next: Option<&TokenTree>) -> bool {
    let [.., of, function] = path else {
        return false;
    };
    of == "Duration"
        && (function == "new" || function.starts_with("from_"))
        && matches!(next, Some(TokenTree::Group(numbers)) if is_number(numbers.stream()))
}

/// Returns whether an expression has numbers and no names.
fn is_number(expression: TokenStream) -> bool {
    expression.into_iter().all(|token| match token {
        TokenTree::Group(group) => is_number(group.stream()),
        TokenTree::Ident(_) => false,
        TokenTree::Literal(_) | TokenTree::Punct(_) => true,
    })
}

fn is_float(literal: &str) -> bool {
    let is_number = literal.starts_with(|first: char| first.is_ascii_digit());
    let is_hex = literal.starts_with("0x");
    is_number
        && (literal.contains('.')
            || literal.ends_with("f32") && !is_hex
            || literal.ends_with("f64") && !is_hex
            || literal.contains(['e', 'E']) && !is_hex && !literal.contains("size"))
}
