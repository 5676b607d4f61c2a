//! Games against the computer that a player keeps in the history: the list, and each of them.

use crate::api;
use crate::ui::computer::{SavedGame, downloads, level};
use crate::ui::games;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::{PageError, RedirectToLogin, number_in_path, query_param};
use crate::ui::replay::{MoveSequence, ReplayView};
use crate::ui::stats::{Pager, outcome};
use crate::ui::steps::requested_ply;
use crate::ui::text::time::Date;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use tochki_protocol::{
    Code, ComputerGameEntry, ComputerGameId, ComputerGamePage, KeptComputerGame, PlayerOutcome,
};
use tochki_rules::Seat;

/// `/history/computer`, for players: `?page=2`.
#[component]
pub(crate) fn KeptGamesPage() -> impl IntoView {
    let language = language();
    let page = query_param("page");
    let kept = load(move || api::computer_games(page.clone()));
    view! {
        <Title text=t!(language, kept_games.title) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match kept.await {
                    Ok(kept) => view! { <KeptGames kept /> }.into_any(),
                    Err(error) if error.code == Code::SignedOut => view! { <RedirectToLogin /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn KeptGames(kept: ComputerGamePage) -> impl IntoView {
    let language = language();
    let count = kept.total;
    let list = if kept.games.is_empty() {
        let why = match count {
            0 => t!(language, kept_games.none),
            _ => t!(language, past.no_such_page),
        };
        view! { <p class="empty">{why}</p> }.into_any()
    } else {
        let rows = kept.games.into_iter().map(|game| view! { <Row game /> });
        view! { <ol class="past-games">{rows.collect_view()}</ol> }.into_any()
    };
    let to = move |page: u32| format!("/history/computer?page={page}");
    view! {
        <article class="info-page history">
            <h1>{t!(language, kept_games.title)}</h1>
            <p class="note">{t!(language, kept_games.about)}</p>
            <section class="card" aria-labelledby="kept-games">
                <h2 id="kept-games">{t!(language, history.games)}</h2>
                {(count > 0).then(|| view! { <p class="note">{t!(language, history.count, count)}</p> })}
                {list}
                <Pager page=kept.page pages=kept.pages to />
            </section>
            <p class="button-row">
                <a class="button" href="/computer">{t!(language, computer.title)}</a>
                <a href="/history">{t!(language, history.games)}</a>
            </p>
        </article>
    }
}

#[component]
fn Row(game: ComputerGameEntry) -> impl IntoView {
    let language = language();
    let kind = game.setup.kind();
    let opponent = opponent(language, game.level);
    let ended = PlayerOutcome::of(game.result.winner, game.seat);
    let reason = words::reason(language, &game.result, names(language, &game));
    let label = t!(language, past.replay_of, name = &opponent);
    view! {
        <li>
            <span class="outcome" data-outcome=ended.as_str()>{outcome(language, ended)}</span>
            <span class="opponent">{opponent}</span>
            <span class="played">
                {games::title(language, kind)} " · " {words::after_score(kind, game.score, reason)} " · "
                <Date at=game.finished_at />
            </span>
            <span class="to">
                <a href=format!("/history/computer/{}", game.id) aria-label=label>
                    {t!(language, past.replay)}
                </a>
            </span>
        </li>
    }
}

/// `/history/computer/:id`, for the player who keeps it; `?ply=12` selects a move.
#[component]
pub(crate) fn KeptGamePage() -> impl IntoView {
    let language = language();
    let id = ComputerGameId(number_in_path().unwrap_or(0));
    let kept = load(move || api::computer_game(id));
    view! {
        <Title text=t!(language, replay.title) />
        <Suspense>
            {move || Suspend::new(async move {
                match kept.await {
                    Ok(kept) => view! { <KeptGame kept /> }.into_any(),
                    Err(error) if error.code == Code::SignedOut => view! { <RedirectToLogin /> }.into_any(),
                    Err(error) if error.code == Code::NotFound => view! { <NotFound /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn KeptGame(kept: KeptComputerGame) -> impl IntoView {
    let language = language();
    let KeptComputerGame { game, moves, seats } = kept;
    let name = names(language, &game);
    let sides = Seat::BOTH.map(|seat| (name(seat), String::new()));
    let title = format!("{} – {}", sides[0].0, sides[1].0);
    let terms = games::describe_setup(language, game.setup);
    let headline = words::headline(language, &game.result, Some(game.seat), &name);
    let reason = words::reason(language, &game.result, &name);
    let (kind, fields) = (game.setup.kind(), games::setup_fields(&game.setup).query());
    let analysis = format!("/analysis?game={kind}{fields}&moves={}", moves.join("_"));
    let saved = SavedGame {
        id: game.id.to_string(),
        setup: game.setup,
        level: game.level,
        seat: game.seat,
        seed: 0,
        moves: moves.join(" "),
        result: Some(game.result.clone()),
        started_at: game.started_at,
        updated_at: game.finished_at,
    };
    let played = saved.to_match();
    let sgf = downloads::sgf(&saved, &played, Seat::BOTH.map(&name));
    let sgf = sgf.map(|sgf| downloads::address("application/x-go-sgf", &sgf));
    let json = downloads::address("application/jsonl", &downloads::json(&saved, &played));
    let file = format!("tochki-{kind}-{}", game.id);
    let sequence = MoveSequence::of_moves(game.setup, &seats, &moves);
    let ply = requested_ply(sequence.len);
    view! {
        <ReplayView title terms sequence ply sides versioned_url=true>
            <h2>{headline}</h2>
            <p>{words::after_score(kind, game.score, reason)} " · " <Date at=game.finished_at /></p>
            <p class="note">{t!(language, kept_games.about)}</p>
            <p class="button-row">
                {sgf
                    .map(|sgf| {
                        view! {
                            <a class="button quiet" href=sgf download=format!("{file}.sgf")>
                                {t!(language, computer.sgf)}
                            </a>
                        }
                    })}
                <a class="button quiet" href=json download=format!("{file}.jsonl")>
                    {t!(language, computer.json)}
                </a>
                <a href=analysis>{t!(language, analysis.link)}</a>
                <a href="/history/computer">{t!(language, kept_games.title)}</a>
            </p>
            <form method="post" action="/api/delete_computer_game">
                <input type="hidden" name="id" value=game.id.to_string() />
                <button type="submit" class="quiet">{t!(language, kept_games.delete)}</button>
            </form>
        </ReplayView>
    }
}

/// The name of the computer at a level.
fn opponent(language: Language, level: u8) -> String {
    let name = level::names(language)
        .get(usize::from(level).wrapping_sub(1))
        .copied();
    t!(
        language,
        computer.opponent,
        level = name.unwrap_or_default()
    )
}

/// The name of each side.
fn names(language: Language, game: &ComputerGameEntry) -> impl Fn(Seat) -> String + use<> {
    let (me, level) = (game.seat, game.level);
    move |seat| {
        if seat == me {
            t!(language, computer.you).to_owned()
        } else {
            opponent(language, level)
        }
    }
}
