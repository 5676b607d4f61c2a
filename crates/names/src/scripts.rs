//! Scripts of a name: the restriction level "highly restrictive" of UTS 39, for letters of any script.

use unicode_script::Script;
use unicode_security::mixed_script::AugmentedScriptSet;

/// Returns whether all characters are of one script, or of Latin with Chinese, Japanese or Korean.
///
/// UTS 39 also asks for characters recommended in identifiers, which would exclude whole scripts. What looks like another
/// name is found by its look, and what is not seen is refused.
pub(super) fn is_highly_restrictive(text: &str) -> bool {
    let mut all = AugmentedScriptSet::default();
    let mut without_latin = AugmentedScriptSet::default();
    for c in text.chars() {
        let scripts = AugmentedScriptSet::for_char(c);
        all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            without_latin.intersect_with(scripts);
        }
    }
    !all.is_empty() || without_latin.hanb || without_latin.jpan || without_latin.kore
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_script_or_latin_with_an_east_asian_one() {
        for text in [
            "Ann_2",
            "Ёж-5",
            "नीता",
            "李雷",
            "さくらサクラ桜",
            "Kim김",
            "王Wang",
            "ᏣᎳᎩ",
        ] {
            assert!(is_highly_restrictive(text), "{text}");
        }
        for text in [
            "Аnn",
            "Annа",
            "αnn",
            "김さ",
            "aא",
            "ж李",
            "a٣",
            "Ann\u{483}",
        ] {
            assert!(!is_highly_restrictive(text), "{text}");
        }
    }
}
