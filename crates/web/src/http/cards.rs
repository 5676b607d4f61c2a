//! The pictures that other sites show beside a link: drawn as SVG by the pages, and sent as PNG, which is what their readers know.

use super::caller::caller_of;
use super::handler_error::HandlerError;
use super::record_turns::RecordTurns;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use leptos::prelude::{Owner, provide_context};
use resvg::usvg;
use resvg::{tiny_skia, usvg::Transform};
use std::collections::VecDeque;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, Mutex};
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_pages::language::Language;
use tochki_pages::ui::{SOCIAL_CARD_SIZE, game_card, match_card};
use tochki_protocol::{Code, MatchId, Scope, Status, limits};
use tochki_rules::GameKind;
use tochki_server::{AppState, Error};

/// The time for which others may keep the picture of a match that is over, or of a game.
const KEPT_FOR_A_DAY: &str = "public, max-age=86400";

/// The time for which others may keep the picture of a running match.
const KEPT_FOR_A_MINUTE: &str = "public, max-age=60";

/// The subject of a picture: a match at a version, or a game.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Match(MatchId, u32),
    Game(GameKind),
}

/// The pictures that were asked for last, the latest at the end. Many readers ask for the picture of one link at once.
#[derive(Clone, Default)]
pub(super) struct CardCache(Arc<Mutex<VecDeque<(Subject, Bytes)>>>);

impl CardCache {
    fn get(&self, subject: Subject) -> Option<Bytes> {
        let mut kept = self.0.lock().expect("no panic while the lock is held");
        let place = kept.iter().position(|(known, _)| *known == subject)?;
        let found = kept.remove(place)?;
        let picture = found.1.clone();
        kept.push_back(found);
        Some(picture)
    }

    fn keep(&self, subject: Subject, picture: Bytes) {
        let mut kept = self.0.lock().expect("no panic while the lock is held");
        kept.retain(|(known, _)| *known != subject);
        while kept.len() >= limits::CARDS_KEPT {
            kept.pop_front();
        }
        kept.push_back((subject, picture));
    }
}

/// `GET /match/{id}/card.png`.
pub(super) const MATCH: Endpoint = Endpoint::handler(
    Method::Get,
    "/match/{id}/card.png",
    caller_of(&of_match),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { MATCH }

/// `GET /card/{game}`.
pub(super) const GAME: Endpoint = Endpoint::handler(
    Method::Get,
    "/card/{game}",
    caller_of(&of_game),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { GAME }

/// Draws the position of a match, for the preview of a link to it.
pub(super) async fn of_match(
    State(app): State<AppState>,
    Extension(turns): Extension<RecordTurns>,
    Extension(cache): Extension<CardCache>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, HandlerError> {
    let Path(id) = id.map_err(|_| Code::NoSuchMatch)?;
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    let snapshot = app.matches.snapshot(id).await?;
    let kept = if snapshot.status == Status::Running {
        KEPT_FOR_A_MINUTE
    } else {
        KEPT_FOR_A_DAY
    };
    let subject = Subject::Match(id, snapshot.version);
    if let Some(picture) = cache.get(subject) {
        return Ok(answer(request.headers(), &picture, kept));
    }
    let draw = move |request: Request| async move {
        match match_card(&snapshot)
            .map_err(Error::from)
            .and_then(|drawing| png(&drawing))
        {
            Ok(picture) => {
                cache.keep(subject, picture.clone());
                answer(request.headers(), &picture, kept)
            }
            Err(error) => HandlerError::from(error).into_response(),
        }
    };
    Ok(turns.answer(request, draw).await)
}

/// Draws an example of a game, for the preview of a link to any other page.
pub(super) async fn of_game(
    Extension(turns): Extension<RecordTurns>,
    Extension(cache): Extension<CardCache>,
    file: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, HandlerError> {
    let Path(file) = file.map_err(|_| Code::NotFound)?;
    let game = file.strip_suffix(".png").and_then(|game| game.parse().ok());
    let game: GameKind = game.ok_or(Code::NotFound)?;
    let subject = Subject::Game(game);
    if let Some(picture) = cache.get(subject) {
        return Ok(answer(request.headers(), &picture, KEPT_FOR_A_DAY));
    }
    let draw = move |request: Request| async move {
        let drawing = Owner::new().with(|| {
            // The rules are read with their texts, of which the drawing has none.
            provide_context(Language::default());
            game_card(game)
        });
        match png(&drawing) {
            Ok(picture) => {
                cache.keep(subject, picture.clone());
                answer(request.headers(), &picture, KEPT_FOR_A_DAY)
            }
            Err(error) => HandlerError::from(error).into_response(),
        }
    };
    Ok(turns.answer(request, draw).await)
}

/// Answers with a picture, or that the reader has it already.
fn answer(asked: &HeaderMap, picture: &Bytes, kept: &'static str) -> Response {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(picture);
    let tag = format!("\"{hash:016x}\"");
    let known = asked
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok());
    let is_known = known.is_some_and(|known| {
        known
            .split(',')
            .any(|known| known.trim().trim_start_matches("W/") == tag)
    });
    let headers = [
        (header::CACHE_CONTROL, kept.to_owned()),
        (header::ETAG, tag),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let png = [(header::CONTENT_TYPE, "image/png")];
    (headers, png, picture.clone()).into_response()
}

/// Rasterizes a drawing.
fn png(drawing: &str) -> Result<Bytes, Error> {
    let broken = |cause: &dyn std::fmt::Display| {
        Error::invariant(format!("a picture cannot be drawn: {cause}"))
    };
    let drawn = usvg::Tree::from_str(drawing, &usvg::Options::default());
    let tree = drawn.map_err(|cause| broken(&cause))?;
    let [width, height] = SOCIAL_CARD_SIZE;
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(|| broken(&"its size"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let encoded = pixels.encode_png();
    encoded.map(Bytes::from).map_err(|cause| broken(&cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of pixels of a colour, as it is in a card.
    fn count(picture: &[u8], colour: [u8; 3]) -> usize {
        let pixels = tiny_skia::Pixmap::decode_png(picture).expect("a PNG");
        assert_eq!([pixels.width(), pixels.height()], SOCIAL_CARD_SIZE);
        let of_colour = |pixel: &&tiny_skia::PremultipliedColorU8| {
            [pixel.red(), pixel.green(), pixel.blue()] == colour
        };
        pixels.pixels().iter().filter(of_colour).count()
    }

    #[test]
    fn a_card_shows_paper_and_the_marks_of_both_sides() {
        for &game in GameKind::ALL {
            let drawing = Owner::new().with(|| {
                provide_context(Language::default());
                game_card(game)
            });
            let picture = png(&drawing).expect("a picture");
            let sides = match game {
                GameKind::Dots | GameKind::Boxes => [[0xbf, 0x2a, 0x20], [0x1f, 0x4f, 0xa8]],
                GameKind::Gomoku | GameKind::Reversi => [[0x14, 0x18, 0x1c], [0xff, 0xff, 0xff]],
            };
            for colour in [[0xfd, 0xfa, 0xf2], [0xff, 0xfd, 0xf8]]
                .into_iter()
                .chain(sides)
            {
                assert!(count(&picture, colour) > 500, "{game}: {colour:02x?}");
            }
            assert!(picture.len() < 100_000, "{game}: {} B", picture.len());
        }
    }

    #[test]
    fn the_pictures_that_were_asked_for_last_are_kept() {
        let cache = CardCache::default();
        let at = |id| Subject::Match(MatchId(id), 3);
        let count = limits::CARDS_KEPT as i64;
        for id in 0..count {
            cache.keep(at(id), Bytes::from(vec![id as u8]));
        }
        assert_eq!(cache.get(at(0)), Some(Bytes::from_static(&[0])));
        assert_eq!(cache.get(Subject::Match(MatchId(0), 4)), None);
        cache.keep(at(count), Bytes::new());
        assert_eq!(cache.get(at(1)), None, "the one longest ago");
        assert!(cache.get(at(0)).is_some() && cache.get(at(count)).is_some());
    }
}
