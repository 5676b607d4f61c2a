//! The board of Dots.

use super::aim::{Aim, By, Gesture, Question, clicked, is_finger, moved, pressed};
use super::geometry::{Geometry, Points};
use super::paper::paper;
use super::picture::{Picture, along};
use super::preview::Preview;
use super::{Hand, Shown};
use crate::rules::dots::{Dots, Point, Setup};
use crate::rules::{Move, Position};
use crate::ui::pieces;
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos::svg::G;

type At = Aim<(u8, u8)>;

#[component]
pub(super) fn DotsBoard(setup: Setup, shown: Memo<Shown>, hand: Option<Hand>) -> impl IntoView {
    let language = language();
    let points = Points {
        columns: setup.width(),
        rows: setup.height(),
    };
    let sheet = points.sheet();
    let picture = Memo::new(move |_| {
        shown.with(|shown| {
            let moves = shown.plies.iter().map(|ply| {
                let Move::Dots(point) = ply.mv;
                point
            });
            let start = setup.start_dots().into_iter().map(|(point, _)| point);
            Picture::of(dots(&shown.position), start.chain(moves))
        })
    });

    let aim = RwSignal::new(None::<At>);
    let preview = Memo::new(move |_| {
        let seat = hand?.seat.get()?;
        let Aim { place: (x, y), .. } = aim.get()?;
        Some(shown.with(|shown| Preview::of(dots(&shown.position), seat, Point::new(x, y))))
    });
    if let Some(hand) = hand {
        Effect::new(move |_| {
            let words = preview.with(|preview| preview.as_ref()?.words(language));
            hand.hint.set(words);
        });
    }
    let act = move |gesture: Option<Gesture<(u8, u8)>>| {
        let (Some(hand), Some(gesture)) = (hand, gesture) else {
            return;
        };
        match gesture {
            Gesture::Aims(to) if aim.get_untracked() != to => {
                aim.set(to);
                if let Some(Aim {
                    place: (x, y),
                    by: By::Keys,
                }) = to
                {
                    let point = Point::new(x, y);
                    let preview = preview.get_untracked();
                    hand.tell(shown.with_untracked(|shown| {
                        spoken(language, dots(&shown.position), point, preview)
                    }));
                }
            }
            Gesture::Aims(_) => {}
            Gesture::Places((x, y)) => {
                // A pointer aims anew as it moves on; until then it would point at the dot just placed.
                if aim.get_untracked().is_some_and(|aim| aim.by != By::Keys) {
                    aim.set(None);
                }
                hand.play.run(Move::Dots(Point::new(x, y)));
            }
            Gesture::Asks(question) => {
                hand.tell(shown.with_untracked(|shown| answer(language, hand, shown, question)));
            }
        }
    };
    // Where the keys begin: at the last move, or in the middle.
    let start = move || {
        let last = shown.with_untracked(|shown| shown.plies.last().copied());
        last.map_or((setup.width() / 2, setup.height() / 2), |ply| {
            let Move::Dots(point) = ply.mv;
            (point.x, point.y)
        })
    };

    let (areas, marks) = (NodeRef::<G>::new(), NodeRef::<G>::new());
    pieces::keep(areas, move || picture.with(|picture| picture.areas.clone()));
    pieces::keep(marks, move || picture.with(|picture| picture.dots.clone()));
    let standing = picture.get_untracked();
    let ring = move || picture.with(Picture::ring);
    let over = move || {
        let preview = preview.with(|preview| preview.as_ref().map(|it| it.drawn().to_owned()));
        preview.unwrap_or_default() + &cursor(aim.get())
    };
    // A finger that is lifted leaves, too, but its press stays for the second tap.
    let leave = move |by| {
        if aim.get_untracked().is_some_and(|aim| aim.by == by) {
            aim.set(None);
        }
    };
    let finger = StoredValue::new(false);
    let in_turn = move || hand.is_some_and(|hand| hand.seat.get_untracked().is_some());
    // On an upright phone a wide board lies turned. The empty drawing beside it has the turned proportions, so the page
    // keeps the right room for it without a script.
    let turned = sheet.turns().then(|| {
        view! { <svg class="turned-room" viewBox=sheet.turned_box() aria-hidden="true"></svg> }
    });
    let in_hand = hand.is_some();
    view! {
        <div class="board-frame" class:turns=sheet.turns()>
            <div class="board-sheet">
                {turned}
                <svg
                    class="board"
                    viewBox=sheet.view_box()
                    role=if in_hand { "application" } else { "img" }
                    tabindex=in_hand.then_some("0")
                    aria-label=say!(language, board.label, width = setup.width(), height = setup.height())
                    aria-describedby=in_hand.then_some("board-help")
                    on:pointerdown=move |event| finger.set_value(is_finger(&event))
                    on:pointermove=move |event| act(moved(points, &event, aim.get_untracked()))
                    on:pointerleave=move |_| leave(By::Mouse)
                    on:click=move |event| {
                        let aim = aim.get_untracked();
                        act(clicked(points, &event, aim, finger.get_value(), in_turn()));
                    }
                    on:keydown=move |event| act(pressed(points, &event, aim.get_untracked(), start()))
                    on:blur=move |_| leave(By::Keys)
                >
                    <g aria-hidden="true" inner_html=paper(setup.width(), setup.height())></g>
                    <g aria-hidden="true" class="areas" node_ref=areas inner_html=pieces::drawn(&standing.areas)></g>
                    <g aria-hidden="true" class="dots" node_ref=marks inner_html=pieces::drawn(&standing.dots)></g>
                    <g aria-hidden="true" class="ring" inner_html=ring></g>
                    <g aria-hidden="true" inner_html=over></g>
                </svg>
            </div>
        </div>
        // `public/board.js` puts the buttons here.
        <div class="board-tools"></div>
    }
}

/// Every position here is one of Dots.
fn dots(position: &Position) -> &Dots {
    match position {
        Position::Dots(dots) => dots,
    }
}

/// Where the keys are, as SVG markup.
fn cursor(aim: Option<At>) -> String {
    match aim {
        Some(Aim {
            place: (x, y),
            by: By::Keys,
        }) => {
            let (x, y) = (along(x) - 5, along(y) - 5);
            format!(r#"<rect class="cursor" x="{x}" y="{y}" width="10" height="10" rx="2"/>"#)
        }
        _ => String::new(),
    }
}

/// What the keys have come to: the point, what is on it, and what a dot would do there.
fn spoken(language: Language, dots: &Dots, point: Point, preview: Option<Preview>) -> String {
    let Point { x, y } = point;
    let spot = dots.at(point);
    let there = match spot.dot {
        Some(dot) if dot.alive => say!(
            language,
            board.point_dot,
            x,
            y,
            side = words::colour(language, dot.seat)
        ),
        Some(dot) => say!(
            language,
            board.point_dead,
            x,
            y,
            side = words::colour(language, dot.seat)
        ),
        None if spot.area.is_some() => say!(language, board.point_captured, x, y),
        None => say!(language, board.point_free, x, y),
    };
    match preview {
        Some(preview @ Preview::Dot { .. }) => match preview.words(language) {
            Some(words) => format!("{there} {words}"),
            None => there,
        },
        _ => there,
    }
}

/// What the keys have asked for.
fn answer(language: Language, hand: Hand, shown: &Shown, question: Question) -> String {
    match question {
        Question::LastMove => match shown.plies.last() {
            Some(ply) => {
                let (side, mv) = (words::colour(language, ply.seat), ply.mv.to_string());
                say!(
                    language,
                    board.last_move,
                    side = side,
                    mv = mv.replace(',', ", ")
                )
            }
            None => say!(language, table.no_moves).to_owned(),
        },
        Question::Keys => say!(language, board.help).to_owned(),
        Question::Score => hand.score.run(()),
        Question::Clocks => hand.clocks.run(()),
    }
}
