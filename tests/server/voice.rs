//! The voice of the texts (`docs/translating.md`), as far as a test can tell: words that the glossary replaced, long sentences,
//! exclamation marks.

use serde_json::Value;
use std::collections::HashMap;
use std::fs;

/// The longest sentence, in words.
const SENTENCE_MAX_WORDS: usize = 15;

/// Terms of the glossary in `docs/translating.md`, as its first column has them, with a text that is the term alone.
const GLOSSARY: [(&str, &str); 40] = [
    ("Dots", "names.dots"),
    ("Dots and Boxes", "names.boxes"),
    ("Gomoku", "names.gomoku"),
    ("Reversi", "names.reversi"),
    ("Lobby", "waiting.title"),
    ("Open game", "open_table.title"),
    ("Join", "tables.sit"),
    ("Play the computer", "computer.offer"),
    ("Takeback", "offers.takeback"),
    ("Finish by score", "offers.finish"),
    ("Offer draw", "offers.draw"),
    ("Resign", "table.resign"),
    ("Abort", "table.abort"),
    ("Rematch", "rematch.ask"),
    ("Analysis", "analysis.title"),
    ("Replay", "replay.title"),
    ("Hint", "puzzles.hint"),
    ("Leaderboard", "header.standings"),
    ("Profile", "account_page.profile"),
    ("Current password", "account.old_password"),
    ("Saved games", "kept_games.title"),
    ("Game file", "record.heading"),
    ("Bot", "name.bot"),
    ("game (one played)", "table.title"),
    ("board", "choice.board"),
    ("five in a row", "five.legend"),
    ("score", "table.score"),
    ("draw", "result.draw"),
    ("opening (start position)", "choice.start"),
    ("cross", "openings.cross"),
    ("inaccuracy", "analysis.inaccuracy"),
    ("mistake", "analysis.mistake"),
    ("blunder", "analysis.blunder"),
    ("opponent", "history.opponent"),
    ("spectator", "chat.apart"),
    ("guest", "name.guest"),
    ("account", "profile.account"),
    ("rating", "waiting.rating"),
    ("rated", "choice.rated"),
    ("unrated", "choice.unrated"),
];

/// Words and beginnings of words that the glossary or the voice replaces, in lower case.
const REPLACED: [(&str, &[&str]); 6] = [
    (
        "en",
        &[
            "waiting room",
            "open table",
            "this table",
            "take back",
            "takes back",
            "move back",
            "offer to finish",
            "go through the game",
            "record",
            "standings",
            "your page",
            "present password",
            "programs of this site",
            "turn over",
            "turned over",
            "turns over",
            "somebody",
            "whoever",
            "of that kind",
            "is told",
            "look at it with",
            "go on",
            "goes on",
            "own size",
            "seconds a move",
            "by lot",
            "take it along",
            "take away",
            "get up",
            "stayed away",
            "as the system",
            "is over already",
            "let it be",
            "area",
            "nobody",
        ],
    ),
    (
        "ru",
        &[
            "зал ожидания",
            "зале ожидания",
            "залах ожидания",
            "открытый стол",
            "открытые столы",
            "открытых столов",
            "за столом",
            "учётн",
            "нынешн",
            "ваша страница",
            "таблица рейтинга",
            "взять ход назад",
            "разобрать",
            "грубая ошибка",
            "жреби",
            "кто-нибудь",
            "программы этого сайта",
            "во что я хочу",
            "свой размер",
            "секунды за ход",
            "секунд за ход",
            "не отвечает вовремя",
            "не ответил вовремя",
            "вас вызывают",
            "смотрите в прошлое",
            "можно начинать",
            "забрать с собой",
            "доск",
        ],
    ),
    ("uk", &["акаунт", "дошк"]),
    ("pl", &["nierankingow", "bez rankingu"]),
    ("fr", &["non class"]),
    ("zh-Hans", &["访客", "玩家", "您"]),
];

/// Texts that may have an exclamation mark, because they tell of a win.
const WINS: [&str; 4] = [
    "result.you_win",
    "result.wins",
    "gomoku.would_win",
    "puzzles.solved",
];

/// Returns the keys and texts of a language.
fn texts(language: &str) -> Vec<(String, String)> {
    let path = format!("{}/locales/{language}.json", env!("CARGO_MANIFEST_DIR"));
    let read: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
    let mut found = Vec::new();
    for (section, texts) in read.as_object().expect("sections") {
        for (key, text) in texts.as_object().expect("texts") {
            let text = text.as_str().expect("a text").to_owned();
            found.push((format!("{section}.{key}"), text));
        }
    }
    found
}

/// Returns the languages that have a file in `locales/`.
fn languages() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/locales");
    let files = fs::read_dir(folder).expect("a folder");
    let names = files.map(|file| file.expect("an entry").file_name());
    names
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()))
        .collect()
}

/// Returns whether a text contains a word that begins like this. Between Chinese words there are no spaces, so each character of them
/// begins one.
fn has_word(text: &str, beginning: &str) -> bool {
    let is_chinese = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
    let goes_on = |letter: char| letter.is_alphanumeric() && !is_chinese(letter);
    text.match_indices(beginning)
        .any(|(at, _)| !text[..at].ends_with(goes_on))
}

/// Counts the words of each sentence; a placeholder is one word.
fn sentence_lengths(text: &str) -> impl Iterator<Item = usize> {
    let text = text.replace("{{ ", "").replace(" }}", "");
    let sentences: Vec<usize> = text
        .split_inclusive([' ', '\u{a0}'])
        .collect::<Vec<_>>()
        .split_inclusive(|word| word.trim_end().ends_with(['.', '!', '?', '…']))
        .map(|words| {
            let is_word = |word: &&&str| word.contains(char::is_alphanumeric);
            words.iter().filter(is_word).count()
        })
        .collect();
    sentences.into_iter()
}

#[test]
fn replaced_words_are_gone() {
    for (language, replaced) in REPLACED {
        for (key, text) in texts(language) {
            let text = text.to_lowercase();
            for word in replaced {
                assert!(!has_word(&text, word), "{language}: {key} says “{word}”");
            }
        }
    }
}

#[test]
fn sentences_are_short() {
    assert_eq!(
        sentence_lengths("A b {{ c }}. – D?").collect::<Vec<_>>(),
        [3, 1]
    );
    // Chinese and Japanese put no spaces between words.
    for language in languages() {
        for (key, text) in texts(&language) {
            for words in sentence_lengths(&text) {
                assert!(
                    words <= SENTENCE_MAX_WORDS,
                    "{language}: {key} has a sentence of {words} words"
                );
            }
        }
    }
}

#[test]
fn quotes_and_apostrophes_are_typographic() {
    for language in languages() {
        for (key, text) in texts(&language) {
            assert!(!text.contains(['"', '\'']), "{language}: {key}: {text}");
        }
    }
}

#[test]
fn only_wins_are_exclaimed() {
    let languages = languages();
    assert!(languages.len() >= 2, "{languages:?}");
    for language in languages {
        for (key, text) in texts(&language) {
            assert!(
                WINS.contains(&key.as_str()) || !text.contains(['!', '！']),
                "{language}: {key}: {text}"
            );
        }
    }
}

#[test]
fn the_glossary_and_the_texts_have_the_same_words() {
    let by_name = |language: String| {
        let texts: HashMap<_, _> = texts(&language).into_iter().collect();
        (texts["language.name"].clone(), texts)
    };
    let by_name: HashMap<_, _> = languages().into_iter().map(by_name).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/translating.md");
    let page = fs::read_to_string(path).expect("a file");
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let mut columns = Vec::new();
    let mut found = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        if cells[0] == "English" {
            columns = cells;
            assert_eq!(columns.len(), by_name.len(), "a column a language");
            continue;
        }
        let Some((_, key)) = GLOSSARY.iter().find(|(term, _)| *term == cells[0]) else {
            continue;
        };
        found += 1;
        for (language, word) in columns.iter().zip(&cells).skip(1) {
            let text = &by_name[*language][*key];
            assert_eq!(
                text.to_lowercase(),
                word.to_lowercase(),
                "{language}: {key}"
            );
        }
    }
    assert_eq!(found, GLOSSARY.len(), "each term is in the page once");
}
