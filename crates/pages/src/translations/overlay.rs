//! Texts that an operator puts in the place of those of the program: files like those of `locales/`, with the changed texts alone.
//! A mistake in them is found when the server starts.

use super::tables::{self, ChangedText};
use crate::language::Language;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// Why texts cannot take the place of others.
#[derive(Debug)]
pub enum Error {
    /// The folder or a file cannot be read.
    Io(PathBuf, io::Error),
    /// A file is not such a JSON.
    Json(PathBuf, serde_json::Error),
    /// A file is named for a language without texts in the program.
    NoSuchLanguage(PathBuf),
    /// There is no text with this key.
    NoSuchText(String),
    /// A text has a placeholder that no language has there, or several lines.
    Malformed(String),
    /// Pages have been rendered already.
    Late,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Json(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoSuchLanguage(path) => {
                write!(f, "{}: there is no such language", path.display())
            }
            Self::NoSuchText(key) => write!(f, "there is no text {key}"),
            Self::Malformed(key) => write!(
                f,
                "{key}: has another placeholder than the program, or several lines"
            ),
            Self::Late => write!(f, "pages have been rendered already"),
        }
    }
}

impl std::error::Error for Error {}

/// Puts the texts of the files of a folder, such as `cs.json`, in the place of those of the program, and returns how many there are.
/// To be called before the first page is rendered.
///
/// # Errors
///
/// If a text cannot be used. Then none is.
pub fn load(folder: &Path) -> Result<usize, Error> {
    let texts = read(folder)?;
    let count = texts.len();
    if !tables::change(texts) {
        return Err(Error::Late);
    }
    Ok(count)
}

fn read(folder: &Path) -> Result<Vec<ChangedText>, Error> {
    let unread = |error| Error::Io(folder.to_owned(), error);
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let code = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut languages = Language::SHIPPED.into_iter();
        let language = languages.find(|language| language.code() == code);
        let Some(language) = language else {
            return Err(Error::NoSuchLanguage(path));
        };
        let json = fs::read_to_string(&path).map_err(|error| Error::Io(path.clone(), error))?;
        let pages = serde_json::from_str(&json).map_err(|error| Error::Json(path, error))?;
        texts.extend(changed(language, pages)?);
    }
    Ok(texts)
}

/// The texts of a file: of each page, by their keys.
type Pages = BTreeMap<String, BTreeMap<String, String>>;

fn changed(language: Language, pages: Pages) -> Result<Vec<ChangedText>, Error> {
    let mut changed = Vec::new();
    for (page, texts) in pages {
        for (key, mut text) in texts {
            let full = || format!("{}: {page}.{key}", language.code());
            // These are in the code of the program.
            if page == "language" {
                return Err(Error::NoSuchText(full()));
            }
            let found = tables::find(&page, &key);
            let (number, placeholders) = found.ok_or_else(|| Error::NoSuchText(full()))?;
            for (place, name) in placeholders.iter().enumerate() {
                text = text.replace(&format!("{{{{ {name} }}}}"), &format!("{{{place}}}"));
            }
            // What is left in braces is no placeholder of this text; `{}` is filled in by scripts.
            let mut plain = text.replace("{}", "");
            for place in 0..placeholders.len() {
                plain = plain.replace(&format!("{{{place}}}"), "");
            }
            if plain.contains(['{', '}', '\n', '\r']) || text.trim().is_empty() {
                return Err(Error::Malformed(full()));
            }
            changed.push((language, number, text));
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Vec<ChangedText>, Error> {
        changed(Language::default(), serde_json::from_str(json).unwrap())
    }

    #[test]
    fn texts_are_found_by_their_keys() {
        let texts = read(r#"{"calls": {"asks": "{{ name }}, {{ rating }}!"}}"#).unwrap();
        let [(_, number, text)] = &texts[..] else {
            panic!("{texts:?}")
        };
        assert_eq!(
            tables::text(Language::default(), *number)
                .matches('{')
                .count(),
            2
        );
        assert!(
            ["{0}, {1}!", "{1}, {0}!"].contains(&text.as_str()),
            "{text}"
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (json, told) in [
            (r#"{"calls": {"ask": "x"}}"#, "en: calls.ask"),
            (r#"{"call": {"asks": "x"}}"#, "en: call.asks"),
            (r#"{"calls": {"asks": "{{ nme }}"}}"#, "en: calls.asks"),
            (r#"{"calls": {"asks": "a\nb"}}"#, "en: calls.asks"),
            (r#"{"calls": {"asks": "{9}"}}"#, "en: calls.asks"),
            (r#"{"language": {"name": "x"}}"#, "en: language.name"),
            (r#"{"calls": {"asks": " "}}"#, "en: calls.asks"),
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
