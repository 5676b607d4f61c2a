//! The replay of a finished match, and what it shares with a record that somebody brought along.

use crate::api;
use crate::ui::board::BoardTools;
use crate::ui::chat::{ChatBox, Ways};
use crate::ui::islands::preload::CodeAhead;
use crate::ui::replay::{Course, GOING, Going};
use crate::ui::shell::not_found::Missing;
use crate::ui::shell::page::{Trouble, match_id};
use crate::ui::shell::session::Session;
use crate::ui::steps::asked;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use crate::ui::widgets::name::called;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use tochki_protocol::{Account, ChatAudience, ChatHistory, ChatPlace, Code, Snapshot, Status};
use tochki_rules::Seat;
use tochki_rules::record::Record;

/// `/match/:id/replay`, for everyone; `?ply=12` is a move of it. A match that is still played has its table instead.
#[component]
pub(crate) fn Replay() -> impl IntoView {
    let language = language();
    let id = match_id();
    let session = Session::current();
    let snapshot = Resource::new_blocking(|| (), move |()| api::match_snapshot(id, None));
    let talk = Resource::new_blocking(|| (), move |()| api::talk(id.to_string()));
    view! {
        <Title text=say!(language, replay.title) />
        <Suspense>
            {move || Suspend::new(async move {
                match snapshot.await {
                    Ok(Snapshot { status: Status::Running, .. }) => {
                        view! { <Redirect path=format!("/match/{id}") /> }.into_any()
                    }
                    Ok(snapshot) => {
                        // A game is worth showing without what was said at it.
                        let talk = talk.await.unwrap_or_default();
                        let me = session.account().await;
                        view! { <Finished snapshot talk me /> }.into_any()
                    }
                    Err(error) if error.code == Code::NoSuchMatch => view! { <Missing /> }.into_any(),
                    Err(error) => view! { <Trouble error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn Finished(snapshot: Snapshot, talk: ChatHistory, me: Option<Account>) -> impl IntoView {
    let language = language();
    let terms = words::terms(
        language,
        snapshot.setup,
        snapshot.time_control,
        snapshot.rated,
    );
    let name = |seat: Seat| called(language, &snapshot.players[seat.index()].name);
    let title = format!("{} – {}", name(Seat::First), name(Seat::Second));
    let result = snapshot.result.clone();
    let changes = result.as_ref().and_then(|result| result.ratings);
    let sides = Seat::BOTH.map(|seat| {
        let rating = match changes.map(|changes| changes[seat.index()]) {
            Some(change) => format!(
                "{} {}",
                words::rating(change.after.0),
                words::rating_change(change)
            ),
            None => words::rating(snapshot.players[seat.index()].rating),
        };
        (name(seat), rating)
    });
    let ending = result.map(|result| {
        let headline = words::headline(language, result.winner, None, name);
        let reason = words::reason(language, &result, name);
        let score = words::score(snapshot.score);
        view! {
            <h2>{headline}</h2>
            <p>{score} " · " {reason}</p>
        }
    });
    let table = format!("/match/{}", snapshot.id);
    let plays = |me: &Account| snapshot.players.iter().any(|player| player.id == me.id);
    let voice = if me.as_ref().is_some_and(plays) {
        ChatAudience::Players
    } else {
        ChatAudience::Spectators
    };
    let here = format!("{table}/replay");
    let ways = Ways {
        still: here.clone(),
        here,
        stands_still: true,
    };
    let venue = ChatPlace::Match(snapshot.id);
    let file = Record::is_kept(&snapshot.setup).then(|| format!("{table}/sgf"));
    let course = Course::of(&snapshot);
    let ply = asked(course.last);
    view! {
        <Played title terms course ply sides addressed=true>
            {ending}
            <p class="ways">
                {file
                    .map(|file| {
                        view! {
                            <a class="button quiet" href=file download>
                                {say!(language, replay.download)}
                            </a>
                        }
                    })}
                <a href=table>{say!(language, replay.table)}</a>
                <a href="/play">{say!(language, table.back)}</a>
            </p>
        </Played>
        <ChatBox venue voice talk me ways />
    }
}

/// A game to go through, and beside it what there is to say about it.
#[component]
pub(crate) fn Played(
    /// Who played.
    title: String,
    /// What was played, in one line.
    terms: String,
    course: Course,
    ply: Option<usize>,
    sides: [(String, String); 2],
    addressed: bool,
    children: Children,
) -> impl IntoView {
    let Course {
        setup,
        moves,
        first,
        ..
    } = course;
    view! {
        <CodeAhead of="going" />
        <BoardTools />
        <div class="table replay">
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
            </header>
            {GOING.to((setup, moves, first, ply, sides, addressed), || view! { <Going /> })}
            <section class="card result result-room">{children()}</section>
        </div>
    }
}
