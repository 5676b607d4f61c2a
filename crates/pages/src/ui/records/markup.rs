//! Texts of a record in markup: escaped, and short.

use crate::ui::forms::escaped;
use tochki_protocol::limits;

/// A hidden field, of the form with this id if it stands elsewhere.
pub(crate) fn hidden_field(name: &str, value: &str, form: Option<&str>) -> String {
    let value = escaped(value);
    let form = form.map(|form| format!(r#" form="{form}""#));
    let form = form.unwrap_or_default();
    format!(r#"<input type="hidden"{form} name="{name}" value="{value}">"#)
}

/// The beginning of a long text.
pub(crate) fn truncated(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(limits::RECORD_TEXT_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_field_stays_in_its_quotes() {
        let hostile = "(;C[\"><script>alert(1)</script>&amp;\r\n])";
        let field = hidden_field("sgf", hostile, Some("steps"));
        assert_eq!(
            field,
            r#"<input type="hidden" form="steps" name="sgf" value="(;C[&quot;>&lt;script>alert(1)&lt;/script>&amp;amp;&#13;&#10;])">"#
        );
    }

    #[test]
    fn long_texts_are_cut_off() {
        assert_eq!(truncated(" Аня "), "Аня");
        assert_eq!(
            truncated(&"я".repeat(90)).chars().count(),
            limits::RECORD_TEXT_MAX_CHARS + 1
        );
    }
}
