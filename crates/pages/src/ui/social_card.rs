//! The pictures that other sites show beside a link to a page: a position, as an SVG document with all its colours in it.

use crate::ui::board::{DiagramCrop, DiagramPosition, Initials, Shown};
use crate::ui::embed::last_position;
use crate::ui::games::{self, board_position};
use crate::ui::page::page_address::PageAddress;
use crate::ui::page::title::game_card_path;
use crate::ui::rulebook::Example;
use crate::ui::text::language;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Meta;
use std::fmt::Write as _;
use tochki_protocol::{Code, Snapshot};
use tochki_rules::{GameKind, Seat};

/// Width and height in pixels, as the readers of links expect them.
pub const SOCIAL_CARD_SIZE: [u32; 2] = [1200, 630];

/// The board in it: left, top, width and height.
const FRAME: [i32; 4] = [60, 35, 1080, 560];

/// The colours of the light theme (`style/tokens.css`, `style/board.css`), as rules that a renderer without variables knows.
const STYLE: &str = "
.page{fill:#fdfaf2}.page-grid{fill:none;stroke:#eef1f0;stroke-width:2}.margin{fill:none;stroke:#e9a9a3;stroke-width:3}
.paper{fill:#fffdf8}.paper-edge,.closed{fill:none;stroke:#7d8894;stroke-width:.9}
.grid{fill:none;stroke:#d3e0ee;stroke-width:.6}.ruled{stroke:#7d8894;stroke-width:.4}.peg,.star{fill:#7d8894}
.dot.red{fill:#bf2a20}.dot.blue{fill:#fff;stroke:#1f4fa8;stroke-width:1.7}
.dot.dead{fill-opacity:.74;stroke-opacity:.74}.last{fill:none;stroke-width:.9}.last.red,.won.red{stroke:#bf2a20}.last.blue,.won.blue{stroke:#1f4fa8}
.bar{fill:none;stroke-width:1.5;stroke-linecap:round}.bar.red{stroke:#bf2a20}.bar.blue{stroke:#1f4fa8}
.bar .core{stroke:#fff;stroke-width:.5}.won{fill:none;stroke-width:1.4;stroke-linecap:round}
.area{fill-opacity:.15;stroke-width:1.5;stroke-linejoin:round}.area.red{fill:#bf2a20;stroke:#bf2a20}.area.blue{fill:#1f4fa8;stroke:#1f4fa8}
.area.box{stroke:none;fill-opacity:.3}";

/// The colours of stones and discs (`public/stones.css`).
const STONES: &str = "
.dot.red{fill:#14181c;stroke:#14181c;stroke-width:.6}.dot.blue{fill:#fff;stroke:#39434d;stroke-width:.9}
.last.red,.won.red{stroke:#1b2026}.last.blue,.won.blue{stroke:#5b6670}";

/// Draws the last position of a match.
///
/// # Errors
///
/// [`Code::BrokenRecord`] if the rules refuse a move of the match.
pub fn match_card(snapshot: &Snapshot) -> Result<String, Code> {
    let shown = last_position(snapshot)?;
    Ok(draw(snapshot.setup.kind(), DiagramCrop::Whole, &shown))
}

/// Draws the example of the rules of a game in which both sides have the most marks.
pub fn game_card(game: GameKind) -> String {
    let chapters = games::rules(language(), game).chapters;
    let examples = chapters.into_iter().flat_map(|chapter| chapter.examples);
    let drawn = examples.map(
        |Example {
             diagram,
             demonstration,
             ..
         }| (diagram, demonstration.after()),
    );
    let of = |shown: &Shown, seat| shown.plies.iter().filter(|ply| ply.seat == seat).count();
    let fullest =
        drawn.max_by_key(|(_, shown)| of(shown, Seat::First).min(of(shown, Seat::Second)));
    fullest.map_or_else(String::new, |(crop, shown)| draw(game, crop, &shown))
}

fn draw(game: GameKind, crop: DiagramCrop, shown: &Shown) -> String {
    // A renderer without fonts draws no letters.
    let initials: Initials = [' '; 2];
    let position = DiagramPosition {
        position: board_position(&shown.position),
        plies: &shown.plies,
        initials,
    };
    let stones = match game {
        GameKind::Gomoku | GameKind::Reversi => STONES,
        GameKind::Dots | GameKind::Boxes => "",
    };
    let [width, height] = SOCIAL_CARD_SIZE;
    let mut lines = String::new();
    // Writing into a string cannot fail.
    for x in (0..width).step_by(40) {
        let _ = write!(lines, "M{x} 0V{height}");
    }
    for y in (0..height).step_by(40) {
        let _ = write!(lines, "M0 {y}H{width}");
    }
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"><style>{STYLE}{stones}</style><path class="page" d="M0 0H{width}V{height}H0Z"/><path class="page-grid" d="{lines}"/><path class="margin" d="M30 0V{height}"/>{}</svg>"#,
        crop.fitted(position, FRAME)
    )
}

/// The beginnings of the paths of pages that name their picture themselves (`GameLink`): their game is not in the path.
const NAME_THEIR_OWN: [&str; 3] = ["/t/", "/puzzle/", "/tournament/"];

/// The tags in the head by which other sites find picture and language of this page. Title and description for them come with the title
/// of the page (`page::title`).
#[component]
pub(crate) fn SocialCard() -> impl IntoView {
    let language = language();
    use_context::<PageAddress>().map(|address| {
        let PageAddress {
            origin,
            path,
            query,
        } = address;
        let is_common = !NAME_THEIR_OWN.iter().any(|page| path.starts_with(page));
        let pictured = is_common.then(|| {
            let picture = origin + &card_path(&path, &query);
            view! { <Meta property="og:image" content=picture /> }
        });
        view! {
            {pictured}
            <Meta name="twitter:card" content="summary_large_image" />
            <Meta property="og:locale" content=language.locale() />
        }
    })
}

/// Returns the path of the picture of a page: of a match, of the game in the path or in the query, and otherwise of the first game.
fn card_path(path: &str, query: &str) -> String {
    let mut parts = path.split('/').skip(1);
    let (first, second) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    match (first, second.parse::<GameKind>()) {
        ("match", _) if second.parse::<u64>().is_ok() => format!("/match/{second}/card.png"),
        ("rules" | "standings" | "computer" | "analysis", Ok(game)) => game_card_path(game),
        _ => {
            let mut fields = query.split('&');
            let asked = fields.find_map(|field| field.strip_prefix("game=")?.parse().ok());
            game_card_path(asked.unwrap_or(GameKind::Dots))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_matches_and_games_have_pictures_of_their_own() {
        for (address, picture) in [
            ("/match/17", "/match/17/card.png"),
            ("/match/17/replay", "/match/17/card.png"),
            ("/match/17?game=gomoku", "/match/17/card.png"),
            ("/match/../x", "/card/dots.png"),
            ("/rules/gomoku", "/card/gomoku.png"),
            ("/rules/gomoku?game=boxes", "/card/gomoku.png"),
            ("/rules", "/card/dots.png"),
            ("/", "/card/dots.png"),
            ("/?game=gomoku", "/card/gomoku.png"),
            ("/?game=chess", "/card/dots.png"),
            ("/play?lang=de&game=reversi&clock=3d", "/card/reversi.png"),
            ("/analysis?game=boxes&moves=h:0,0", "/card/boxes.png"),
            ("/@match", "/card/dots.png"),
        ] {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            assert_eq!(card_path(path, query), picture, "{address}");
        }
    }
}
