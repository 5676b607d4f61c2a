//! A match as a frame in the pages of other sites: board, names, score. The frame is the same for every visitor, sets no cookie,
//! and has no scripts.

use crate::ui::board::{DiagramCrop, DiagramPosition, Shown};
use crate::ui::games::{self, board_position};
use crate::ui::page::info_stylesheet;
use crate::ui::text as texts;
use crate::ui::text::names::display_name;
use crate::ui::text::{side, t, versus, words};
use crate::ui::view::view;
use crate::ui::widgets::player_name::{GuestMark, Name};
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;
use tochki_play::Ply;
use tochki_protocol::{Code, Snapshot};
use tochki_rules::{Position, Seat, Setup};

/// Renders the document in the frame. The document of a running match is to be loaded again every few seconds, which its response
/// says.
///
/// # Errors
///
/// [`Code::BrokenRecord`] if the rules refuse a move of the match.
pub fn embed(options: LeptosOptions, snapshot: &Snapshot) -> Result<impl IntoView + use<>, Code> {
    let language = texts::language();
    let name = |seat: Seat| display_name(language, &snapshot.players[seat.index()].name);
    let names = versus(&Seat::BOTH.map(name));
    let game = games::title(language, snapshot.setup.kind());
    let sides = Seat::BOTH.map(|seat| {
        let player = &snapshot.players[seat.index()];
        view! {
            <span class=format!("side {}", side::class(seat))>
                <Name name=player.name.clone() /> <GuestMark guest=player.guest bot=player.bot />
            </span>
        }
    });
    let [red_side, blue_side] = sides;
    let now = match &snapshot.result {
        Some(result) => words::headline(language, result, None, name),
        None => t!(language, embed.live).to_owned(),
    };
    let board = board(snapshot)?;
    let kind = snapshot.setup.kind();
    let score = words::score(kind, snapshot.score);
    let label = match &score {
        Some(score) => format!("{names} · {game}: {score}"),
        None => format!("{names} · {game}"),
    };
    let address = format!("/match/{}", snapshot.id);
    Ok(view! {
        <!DOCTYPE html>
        <html lang=language.code() dir=texts::dir(language)>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <HashedStylesheet options id="style" />
                <link rel="stylesheet" href=info_stylesheet::path() />
                <title>{game}</title>
            </head>
            <body class="embed">
                <main class=side::stones_class(kind)>
                    <h1>
                        {red_side}
                        " "
                        <span class="score">{score.unwrap_or_else(|| "–".to_owned())}</span>
                        " "
                        {blue_side}
                    </h1>
                    <div class="embed-board" role="img" aria-label=label inner_html=board></div>
                    <p>
                        {now} " · " <a href=address target="_blank" rel="noopener">
                            {t!(language, embed.open)}
                        </a>
                    </p>
                </main>
            </body>
        </html>
    })
}

/// Draws the board, as SVG markup.
fn board(snapshot: &Snapshot) -> Result<String, Code> {
    let language = texts::language();
    let Shown { position, plies } = last_position(snapshot)?;
    Ok(DiagramCrop::Whole.before(DiagramPosition {
        position: board_position(&position),
        plies: &plies,
        initials: words::initials(language, [""; 2]),
    }))
}

/// Plays the moves of a match.
///
/// # Errors
///
/// [`Code::BrokenRecord`] if the rules refuse one.
pub(crate) fn last_position(snapshot: &Snapshot) -> Result<Shown, Code> {
    position_after(snapshot.setup, &snapshot.moves, &snapshot.seats)
}

/// Plays moves, each by its seat.
///
/// # Errors
///
/// [`Code::BrokenRecord`] if the rules refuse one.
pub(crate) fn position_after(
    setup: Setup,
    moves: &[String],
    seats: &[Seat],
) -> Result<Shown, Code> {
    let mut position = Position::new(&setup);
    let mut plies = Vec::with_capacity(moves.len());
    for (mv, &seat) in moves.iter().zip(seats) {
        let mv = position.parse_move(mv).map_err(|_| Code::BrokenRecord)?;
        position.play_as(seat, mv).map_err(|_| Code::BrokenRecord)?;
        plies.push(Ply { seat, mv });
    }
    Ok(Shown { position, plies })
}
