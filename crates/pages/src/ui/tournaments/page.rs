//! The page of a tournament, for everybody.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::fingerprint::{fingerprint, versioned_url};
use crate::ui::games;
use crate::ui::islands::form_action::form_error;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::live::stream_script::StreamScript;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::title::{EscapedTitle, GameLink};
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, number_in_path, query_param};
use crate::ui::text::{language, t};
use crate::ui::tournaments::actions::EntryCard;
use crate::ui::tournaments::appointment::asks_presence;
use crate::ui::tournaments::boards::Boards;
use crate::ui::tournaments::bracket::{Bracket, shown_bracket};
use crate::ui::tournaments::crosstable::Crosstable;
use crate::ui::tournaments::games::Games;
use crate::ui::tournaments::manage::Manage;
use crate::ui::tournaments::reminder::is_to_come;
use crate::ui::tournaments::rounds::{Files, Round, ShownPairings, shown_pairings};
use crate::ui::tournaments::rules::Rules;
use crate::ui::tournaments::series::SeriesNote;
use crate::ui::tournaments::standings::{Podium, Standings};
use crate::ui::tournaments::summary::describe;
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use leptos_router::components::Redirect;
use tochki_protocol::limits::PAGE_RELOAD_INTERVAL;
use tochki_protocol::{
    Account, Code, EntrantState, Snapshot, Tournament, TournamentBracket, TournamentEntry,
    TournamentFormat, TournamentId, TournamentStandings, TournamentState,
};

/// The script. Its content is part of its address, so that browsers fetch a new version.
const SCRIPT: &str = include_str!("../../../../../public/tournament.js");

/// The last page that can be asked for.
const LAST_PAGE: u32 = 10_000;

/// Returns the number of a page, from 1.
pub(super) fn page_param(field: &str) -> u32 {
    let page = query_param(field).and_then(|page| page.parse().ok());
    page.unwrap_or(1).clamp(1, LAST_PAGE)
}

/// `/tournament/:id`; `?page=` is the page of the standings, `?games=` that of the games, `?round=` the round whose games are
/// shown, `?wait` leads to the reader's match.
#[component]
pub(crate) fn TournamentPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    // Anything but a number becomes 0, which is no tournament.
    let id = TournamentId(number_in_path().unwrap_or(0));
    let pages = ["page", "games"].map(page_param);
    let tournament = load(move || api::tournament(id));
    let standings = load(move || api::tournament_standings(id, Some(pages[0] - 1)));
    let round = query_param("round").and_then(|round| round.parse().ok());
    let pairings = load(move || shown_pairings(id, round, pages[1] - 1));
    let games = load(move || api::tournament_games(id));
    let bracket = load(move || shown_bracket(id));
    let entry = load(move || api::tournament_entry(id));
    let waits = query_param("wait").is_some();
    let refused = StoredValue::new(
        form_error::<api::JoinTournament>()
            .or_else(form_error::<api::LeaveTournament>)
            .or_else(form_error::<api::ConfirmPresence>)
            .or_else(form_error::<api::RequestBye>)
            .or_else(form_error::<api::RemindOfTournament>)
            .or_else(form_error::<api::ChooseSide>)
            .or_else(form_error::<api::ProposeTime>),
    );
    let refused_change = StoredValue::new(
        form_error::<api::CancelTournament>()
            .or_else(form_error::<api::CloseTournamentEntries>)
            .or_else(form_error::<api::RemoveFromTournament>)
            .or_else(form_error::<api::RepeatTournament>)
            .or_else(form_error::<api::EndTournamentSeries>),
    );
    view! {
        // The names of a tournament and of its entrants are nobody's title.
        <EscapedTitle text=t!(language, tournaments.one) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                let me = session.account().await;
                // A visitor without an account has none.
                let entry = entry.await.unwrap_or_default();
                if let Some(id) = entry.match_id.filter(|_| waits) {
                    return view! { <Redirect path=format!("/match/{id}") /> }.into_any();
                }
                match (tournament.await, standings.await) {
                    (Ok(tournament), Ok(standings)) => {
                        let data = Shown {
                            tournament,
                            standings,
                            // The rest is shown without them.
                            pairings: pairings.await.ok(),
                            games: games.await.unwrap_or_default(),
                            bracket: bracket.await.unwrap_or_default(),
                            entry,
                            me,
                            pages,
                        };
                        let (refused, refused_change) = (refused.get_value(), refused_change.get_value());
                        view! { <TournamentView data refused refused_change /> }.into_any()
                    }
                    (Err(error), _) if error.code == Code::NoSuchTournament => view! { <NotFound /> }.into_any(),
                    (Err(error), _) | (_, Err(error)) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// The contents of the page.
struct Shown {
    tournament: Tournament,
    standings: TournamentStandings,
    pairings: Option<ShownPairings>,
    /// The games whose boards are shown.
    games: Vec<Snapshot>,
    /// The bracket of a knockout.
    bracket: TournamentBracket,
    entry: TournamentEntry,
    me: Option<Account>,
    /// The pages of the standings and of the games, from 1.
    pages: [u32; 2],
}

#[component]
fn TournamentView(
    data: Shown,
    refused: Option<ErrorResponse>,
    refused_change: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let RenderedAt(now) = use_context().unwrap_or_default();
    let Shown {
        tournament,
        standings,
        pairings,
        games,
        bracket,
        entry,
        me,
        pages: [page, games_page],
    } = data;
    let id = tournament.id;
    let terms = describe(language, &tournament);
    let game = tournament.setup.kind();
    let title = format!(
        "{} · {}",
        t!(language, tournaments.one),
        games::title(language, game)
    );
    let creator = tournament.creator.clone().map(|creator| {
        view! {
            <p class="note">
                {t!(language, tournaments.made_by)} " "
                <PlayerName name=creator.name guest=creator.guest bot=creator.bot />
            </p>
        }
    });
    let series = (tournament.series.clone()).map(|series| view! { <SeriesNote series /> });
    let is_over = tournament.state == TournamentState::Finished;
    let is_live = matches!(
        tournament.state,
        TournamentState::Open | TournamentState::Running
    );
    let boards_title = if is_over {
        t!(language, tournaments.best_games)
    } else {
        t!(language, tournaments.boards)
    };
    // Parts that are replaced when these texts are others (`public/tournament.js`).
    let ids: Vec<String> = games
        .iter()
        .map(|game| format!("{}@{}", game.id, game.version))
        .collect();
    let live_boards = fingerprint(&format!("{is_over} {}", ids.join(" ")));
    let live_state = fingerprint(&format!(
        "{:?} {} {:?} {:?} {:?} {} {:?} {:?} {:?} {} {:?} {} {} {:?} {:?} {}",
        tournament.state,
        tournament.players,
        tournament.ends_at,
        tournament.starts_at,
        tournament.pairing_closes_at,
        tournament.entries_closed,
        entry.state,
        entry.match_id,
        tournament.rounds,
        entry.here,
        entry.bye_round,
        entry.reminder,
        is_to_come(&tournament, now),
        entry.choose_by,
        entry.appointment,
        (entry.appointment.as_ref()).is_some_and(|appointment| asks_presence(appointment, now))
    ));
    // As the script writes the snapshot of an event.
    let (round, round_at) = match &tournament.rounds {
        Some(rounds) => (rounds.round, rounds.round_at.map_or(0, |at| at.0)),
        None => (0, 0),
    };
    let known = format!(
        "{} {} {} {} {round} {round_at}",
        tournament.state.as_str(),
        tournament.starts_at.0,
        tournament.ends_at.map_or(0, |at| at.0),
        tournament.entries_closed
    );
    let tie_breaks = tournament
        .rounds
        .as_ref()
        .map(|rounds| rounds.tie_breaks.clone());
    let tie_breaks = tie_breaks.unwrap_or_default();
    let rounds = tournament.rounds.clone();
    // An arena has them once it is over, and a knockout has none.
    let has_rounds = rounds.is_some();
    let is_knockout = tournament.format == TournamentFormat::Knockout;
    let has_files = !is_knockout && (round > 0 || is_over && !has_rounds);
    let files = has_files.then(|| view! { <Files id has_rounds /> });
    let live_bracket = fingerprint(&format!("{bracket:?}"));
    let bracket = (!bracket.rounds.is_empty()).then(|| view! { <Bracket bracket /> });
    let live_games = fingerprint(&format!("{pairings:?}"));
    // As the standings, it is of all players: a round robin has one page of them.
    let table = (pairings.as_ref()).map_or_else(Vec::new, |shown| shown.table.clone());
    let live_table = fingerprint(&format!("{table:?} {:?}", standings.rows));
    let crosstable = (!table.is_empty()).then(|| {
        let rows = standings.rows.clone();
        view! { <Crosstable rows pairings=table /> }
    });
    let podium = is_over.then(|| {
        let first = standings.rows.clone();
        (page == 1).then(|| view! { <Podium first /> })
    });
    let waits = is_live && entry.state == Some(EntrantState::Here);
    let reload = waits.then(|| {
        format!(
            r#"<meta http-equiv="refresh" content="{};url=/tournament/{id}?wait=yes">"#,
            PAGE_RELOAD_INTERVAL.as_secs()
        )
    });
    let reload = reload.unwrap_or_default();
    let manage = entry.may_manage.then(|| {
        let (tournament, rows) = (tournament.clone(), standings.rows.clone());
        let open = refused_change.is_some();
        let may_repeat = entry.may_repeat;
        view! { <Manage tournament rows open may_repeat /> }
    });
    let description = (!tournament.description.is_empty())
        .then(|| view! { <p class="description" dir="auto">{tournament.description.clone()}</p> });
    let refused = refused.or(refused_change);
    let (mine, my_id) = (entry.standing.clone(), me.as_ref().map(|me| me.id));
    let my_match = entry.match_id.map(|id| id.0);
    let soon = match tournament.rounds {
        Some(_) => t!(language, tournaments.round_soon),
        None => t!(language, tournaments.starts_soon),
    };
    view! {
        <GameLink title description=terms.clone() game />
        <StreamScript />
        <script type="module" src="/waiting.js"></script>
        <script type="module" src=versioned_url("/tournament.js", SCRIPT)></script>
        <noscript inner_html=reload></noscript>
        <div role="status" class="line">
            <p id="connection-lost" class="lost" hidden>
                {t!(language, site.line_lost)}
            </p>
        </div>
        <article
            class="tournament"
            data-events=format!("tournament:{id}")
            data-me=my_id.map(|id| id.0)
            data-match=my_match
            data-is-live=is_live.then_some("true")
            data-known=known
            data-called=t!(language, tournaments.you_play)
            data-round-soon=soon
        >
            <header>
                <h1>
                    <bdi>{tournament.name.clone()}</bdi>
                </h1>
                <p class="terms">{terms}</p>
                {creator}
                {series}
            </header>
            <div class="of-tournament">
                <section class="card" id="entry" data-live=live_state.clone() aria-label=t!(language, tournaments.one)>
                    <EntryCard tournament=tournament.clone() entry me now refused />
                </section>
                <div class="results">
                    <div id="podium" data-live=live_state>{podium}</div>
                    <div id="bracket" data-live=live_bracket>
                        {bracket}
                    </div>
                    <Standings id standings tie_breaks page me=my_id mine />
                    <div id="crosstable" data-live=live_table>
                        {crosstable}
                    </div>
                    <div id="boards" data-live=live_boards>
                        <Boards title=boards_title games />
                    </div>
                    <div id="games" data-live=live_games>
                        {pairings
                            .map(|ShownPairings { round, pairings, .. }| match (rounds, round) {
                                (Some(rounds), Some(number)) => {
                                    view! { <Round id rounds number pairings page=games_page /> }.into_any()
                                }
                                _ => view! { <Games id pairings page=games_page /> }.into_any(),
                            })}
                    </div>
                </div>
                <div class="about">
                    {description}
                    <Rules tournament=tournament.clone() />
                    {files}
                    {manage}
                </div>
            </div>
        </article>
    }
}
