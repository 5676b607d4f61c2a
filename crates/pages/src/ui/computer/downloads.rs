//! A game against the computer as a file.

use crate::ui::computer::{ComputerTexts, SavedGame};
use crate::ui::games::setup_fields;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::location::Url;
use tochki_play::Match;
use tochki_rules::Seat;
use tochki_rules::record::RecordPlayer;

/// The links to its files. In a list each says which game it is of.
pub(crate) fn links(
    texts: &ComputerTexts,
    saved: &SavedGame,
    game: &Match,
    described: Option<&str>,
) -> impl IntoView + use<> {
    let name = format!("tochki-{}-{}", saved.setup.kind(), saved.id);
    let link = |text: &str, href: String, ending: &str| {
        let label = described.map(|described| format!("{text}: {described}"));
        view! {
            <a href=href download=format!("{name}.{ending}") aria-label=label>
                {text.to_owned()}
            </a>
        }
    };
    let names = Seat::BOTH.map(|seat| texts.name(saved, seat));
    let sgf = sgf(saved, game, names);
    let sgf = sgf.map(|sgf| link(&texts.sgf, address("application/x-go-sgf", &sgf), "sgf"));
    let lines = address("application/jsonl", &json(saved, game));
    (sgf, link(&texts.json, lines, "jsonl"))
}

/// The game as SGF, if it is one of Dots.
pub(crate) fn sgf(saved: &SavedGame, game: &Match, names: [String; 2]) -> Option<String> {
    let players = names.map(|name| RecordPlayer {
        name,
        rank: String::new(),
    });
    Some(game.record(players, saved.started_at)?.to_string())
}

/// The game as a line of JSON that `tochki replay` reads, with the level, the visitor's seat, the winner (0 is a draw) and
/// the score.
pub(crate) fn json(saved: &SavedGame, game: &Match) -> String {
    let setup = game.terms().setup;
    let quoted = |mv: String| format!("\"{mv}\"");
    let moves = game.plies().iter().map(|ply| quoted(ply.mv.to_string()));
    let moves = moves.collect::<Vec<_>>().join(",");
    let winner = match game.result() {
        Some(result) => result.winner.map_or(0, Seat::number).to_string(),
        None => "null".to_owned(),
    };
    let [first, second] = game.score();
    format!(
        r#"{{"game":"{}","setup":{},"moves":[{moves}],"level":{},"seat":{},"winner":{winner},"score":[{first},{second}]}}"#,
        setup.kind(),
        setup_fields(&setup).json(),
        saved.level,
        saved.seat.number(),
    ) + "\n"
}

/// The address of a file with this text.
pub(crate) fn address(kind: &str, text: &str) -> String {
    format!("data:{kind};charset=utf-8,{}", Url::escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::Timestamp;
    use tochki_rules::GameKind;

    #[test]
    fn a_file_has_the_whole_game() {
        let saved = SavedGame {
            id: "a1".into(),
            setup: GameKind::Dots.default_setup(),
            level: 3,
            seat: Seat::Second,
            seed: 7,
            moves: "5,5 6,6".into(),
            result: None,
            started_at: Timestamp(0),
            updated_at: Timestamp(0),
        };
        let game = saved.to_match();
        let line = json(&saved, &game);
        let mut replayed = Vec::new();
        tochki_rules::replay::replay(line.as_bytes(), &mut replayed, true).unwrap();
        assert_eq!(String::from_utf8(replayed).unwrap(), "0:0\n");
        let sgf = sgf(&saved, &game, ["Computer".into(), "You".into()]).unwrap();
        let read = tochki_rules::record::parse(&sgf).unwrap().record;
        assert_eq!(read.plies.len(), 2);
        assert_eq!(read.players[0].name, "Computer");
    }
}
