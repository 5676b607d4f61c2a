//! Token files.

use crate::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// The tokens of these files, one a line. Blank lines and those that begin with `#` are none.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<String>, Error> {
    let mut tokens = Vec::new();
    for path in paths {
        let shown = path.display();
        let failed = |error| format!("cannot read the token file {shown}: {error}");
        let text = fs::read_to_string(path).map_err(failed)?;
        let mode = fs::metadata(path).map_err(failed)?.permissions().mode();
        if mode & 0o077 != 0 {
            tracing::warn!("others can read the token file {shown}: chmod 600 {shown}");
        }
        let found = parse(&text).map_err(|why| format!("{shown}: {why}"))?;
        tokens.extend(found);
    }
    tokens.sort();
    tokens.dedup();
    Ok(tokens)
}

fn parse(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if !line.starts_with("tochki_") || line.contains(char::is_whitespace) {
            return Err(format!(
                "line {} is no token; a token begins with tochki_",
                number + 1
            ));
        }
        tokens.push(line.to_owned());
    }
    if tokens.is_empty() {
        return Err("there is no token in it".into());
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_token_in_each_line() {
        let read = parse("# mine\ntochki_a\r\n\n  tochki_b \n");
        assert_eq!(read.unwrap(), ["tochki_a", "tochki_b"]);
        let wrong = parse("tochki_a\nsecret\n").unwrap_err();
        assert!(
            wrong.contains("line 2") && !wrong.contains("secret"),
            "{wrong}"
        );
        assert!(parse("# nothing\n").is_err());
    }
}
