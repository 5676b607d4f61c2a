//! The board of Dots.

use super::aim::{Aim, By, Gesture, clicked, moved, pressed};
use super::geometry::{Geometry, Points};
use super::paper::Paper;
use super::picture::{Area, Mark, Picture, along};
use super::preview::{Preview, PreviewMarks};
use super::{Hand, Shown};
use crate::rules::dots::{Dots, Point, Setup};
use crate::rules::{Move, Position};
use crate::ui::list::{Entry, List};
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::prelude::*;

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
            let moves = shown.moves.iter().map(|Move::Dots(point)| *point);
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
                    hand.say.set(shown.with_untracked(|shown| {
                        spoken(
                            language,
                            dots(&shown.position),
                            point,
                            preview.get_untracked(),
                        )
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
        }
    };
    let start = move || {
        let last = picture.with_untracked(|picture| picture.last);
        last.map_or((setup.width() / 2, setup.height() / 2), |mark| {
            (mark.point.x, mark.point.y)
        })
    };

    let label = say!(
        language,
        board.label,
        width = setup.width(),
        height = setup.height()
    );
    let drawing = view! {
        <g aria-hidden="true">
            <Paper columns=setup.width() rows=setup.height() />
            <Marks picture />
            <PreviewMarks preview />
            <Cursor aim />
        </g>
    };
    let board = if hand.is_some() {
        view! {
            <svg
                class="board"
                viewBox=sheet.view_box()
                role="application"
                tabindex="0"
                aria-label=label
                aria-describedby="board-help"
                on:pointermove=move |event| act(moved(points, &event))
                on:pointerleave=move |_| {
                    // A finger that is lifted leaves, and its aim stays for the second tap.
                    if aim.get_untracked().is_some_and(|aim| aim.by == By::Mouse) {
                        aim.set(None);
                    }
                }
                on:click=move |event| act(clicked(points, &event, aim.get_untracked()))
                on:keydown=move |event| act(pressed(points, &event, aim.get_untracked(), start()))
                on:blur=move |_| aim.set(None)
            >
                {drawing}
            </svg>
        }
        .into_any()
    } else {
        view! {
            <svg class="board" viewBox=sheet.view_box() role="img" aria-label=label>
                {drawing}
            </svg>
        }
        .into_any()
    };
    // On an upright phone a wide board lies turned. The empty drawing beside it has the turned proportions, so the page
    // keeps the right room for it without a script.
    let turned = sheet.turns().then(|| {
        let view_box = format!("0 0 {} {}", sheet.height, sheet.width);
        view! { <svg class="turned-room" viewBox=view_box aria-hidden="true"></svg> }
    });
    view! {
        <div class="board-frame" class:turns=sheet.turns()>
            {turned} {board}
        </div>
    }
}

/// Every position here is one of Dots.
fn dots(position: &Position) -> &Dots {
    match position {
        Position::Dots(dots) => dots,
    }
}

/// Areas, dots, and the ring round the last one.
#[component]
fn Marks(picture: Memo<Picture>) -> impl IntoView {
    // What stood there when the page came has landed long ago; what comes later is seen to land.
    let landed = StoredValue::new(true);
    Effect::new(move |_| landed.set_value(false));
    let areas = move || {
        let entry = |area: &Area| {
            let area = area.clone();
            Entry::new(area.clone(), move || {
                let draws = if landed.get_value() { "" } else { " draws" };
                let class = format!("area {}{draws}", words::side(area.seat));
                view! { <path class=class d=area.outline pathLength="1" /> }
            })
        };
        picture.with(|picture| picture.areas.iter().map(entry).collect())
    };
    let marks = move || {
        let entry = |mark: &Mark| {
            let mark = *mark;
            Entry::new(mark, move || {
                let (x, y) = (along(mark.point.x), along(mark.point.y));
                view! { <circle class=class(mark, landed.get_value()) cx=x cy=y r=words::radius(mark.seat) /> }
            })
        };
        picture.with(|picture| picture.marks.iter().map(entry).collect())
    };
    let last = move || picture.with(|picture| picture.last);
    view! {
        <g>
            <List entries=Box::new(areas) />
        </g>
        <g>
            <List entries=Box::new(marks) />
        </g>
        {move || {
            last()
                .map(|mark| {
                    view! {
                        <circle
                            class=format!("last {}", words::side(mark.seat))
                            cx=along(mark.point.x)
                            cy=along(mark.point.y)
                            r="4.9"
                        />
                    }
                })
        }}
    }
}

fn class(mark: Mark, landed: bool) -> String {
    let fate = match (mark.alive, landed) {
        (true, true) => "",
        (true, false) => " lands",
        (false, true) => " dead",
        (false, false) => " dead fades",
    };
    format!("dot {}{fate}", words::side(mark.seat))
}

/// Where the keys are.
#[component]
fn Cursor(aim: RwSignal<Option<At>>) -> impl IntoView {
    move || {
        let Aim { place: (x, y), by } = aim.get()?;
        let square = |number: u8| f64::from(along(number)) - 5.0;
        (by == By::Keys)
            .then(|| view! { <rect class="cursor" x=square(x) y=square(y) width="10" height="10" rx="2" /> })
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
