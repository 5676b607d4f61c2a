//! The page of a match, running or finished, for its players and for spectators.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::board::{BoardInput, BoardTools, StonesStylesheet};
use crate::ui::board_view::Board;
use crate::ui::chat::{ChatBox, LobbyChatTab, NoScriptLinks};
use crate::ui::fingerprint::versioned_url;
use crate::ui::forms::escaped;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::form_action::{FormAction, form_error};
use crate::ui::live::connection_lost::ConnectionLost;
use crate::ui::live::notices::NoticeList;
use crate::ui::live::stream_script::StreamScript;
use crate::ui::match_page::adjournment::{AdjournmentOffer, AdjournmentState, renewed_in};
use crate::ui::match_page::berserk::Berserk;
use crate::ui::match_page::challenged::{Challenged, read_challenges};
use crate::ui::match_page::heartbeat;
use crate::ui::match_page::requests::notify_requests;
use crate::ui::match_page::{
    AbsenceNotice, Announcer, Hint, MatchController, MoveEntry, MoveLimit, Offers, PlayerPanel,
    RematchTerms, ResignButton, ResultCard, TurnIndicator, clock_times, score_and_turn,
};
use crate::ui::night::{NightLine, is_flag_later};
use crate::ui::operator::{AnnulmentForm, can_be_annulled};
use crate::ui::own_games::NextGame;
use crate::ui::page::games_on_turn::GamesOnTurn;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::title::{EscapedTitle, MatchLink, match_title};
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, match_id};
use crate::ui::steps::{MoveList, PastBanner, requested_ply};
use crate::ui::terms::{FairPlayRule, describe_terms};
use crate::ui::text::time::span;
use crate::ui::text::{Language, language, t, versus};
use crate::ui::text::{side, words};
use crate::ui::tournament_links::OfTournament;
use crate::ui::vacation::{VacationLines, is_anyone_on_vacation};
use crate::ui::view::{live, view};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_query_map;
use serde::{Deserialize, Serialize};
use tochki_play::Millis;
use tochki_protocol::limits::{NOTES_MAX_CHARS, PAGE_RELOAD_INTERVAL};
use tochki_protocol::{
    Account, Challenge, ChatAudience, ChatHistory, ChatPlace, Code, MatchId, Pace, PlayerId,
    Snapshot, TournamentId,
};
use tochki_rules::Seat;

/// The script that renews [`TimeLines`]. Its address changes with its content.
const TIME_LINES: &str = include_str!("../../../../../public/time_lines.js");

/// `/match/:id`, for everyone.
#[component]
pub(crate) fn MatchPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let id = match_id();
    let own_games = GamesOnTurn::current();
    let notes = load(move || api::notes(id));
    let snapshot = load(move || load_match(id));
    let chat = load(move || api::chat_history(id.to_string()));
    let refused = StoredValue::new(
        form_error::<api::MakeMove>()
            .or_else(form_error::<api::Resign>)
            .or_else(form_error::<api::Abort>)
            .or_else(form_error::<api::MakeOffer>)
            .or_else(form_error::<api::AnswerOffer>)
            .or_else(form_error::<api::CancelOffer>)
            .or_else(form_error::<api::Rematch>)
            .or_else(form_error::<api::AnswerChallenge>),
    );
    let refused_offer = StoredValue::new(form_error::<api::OfferAdjournment>());
    let refused_resume = StoredValue::new(form_error::<api::ResumeMatch>());
    let refused_berserk = StoredValue::new(form_error::<api::Berserk>());
    view! {
        <Title text=t!(language, table.title) />
        <Suspense>
            {move || {
                let counts = own_games.count();
                Suspend::new(async move {
                    match (snapshot.await, session.signed_in().await) {
                        (Ok((snapshot, challenges)), Ok(account)) => {
                            let me = seat_of(&snapshot, account.as_ref().map(|account| account.id));
                            if seals(&snapshot, me) {
                                return view! { <Redirect path=format!("/match/{id}/seal") /> }.into_any();
                            }
                            let ply = requested_ply(snapshot.moves.len());
                            let auto_reload = auto_reload(&snapshot, me, ply);
                            let words = noscript_markup(language, &snapshot, me, auto_reload);
                            // The match is shown even if the chat cannot be loaded.
                            let chat = chat.await.unwrap_or_default();
                            let (id, ended) = (snapshot.id, snapshot.result.is_some());
                            let title = match_title(&snapshot);
                            let link = view! { <MatchLink snapshot=snapshot.clone() /> };
                            let (rated, annulled, game) = (snapshot.rated, snapshot.annulled, snapshot.setup.kind());
                            let offered = chat.operator && can_be_annulled(&snapshot);
                            let by_correspondence = snapshot.time_control.pace() == Pace::Correspondence;
                            let others = counts.await.running > u32::from(!ended);
                            let has_next = me.is_some() && others;
                            // Notes are for games that take days; who plays live has no time for them.
                            let notes = notes.await.ok().filter(|_| by_correspondence && me.is_some());
                            let notes = notes.map(|text| view! { <Notes id text /> });
                            let is_timed_by_days = by_correspondence || is_flag_later(&snapshot) || is_anyone_on_vacation(&snapshot);
                            let challenged = (me.is_some() && !by_correspondence).then(|| view! { <Challenged challenges /> });
                            let times = (is_timed_by_days && !ended)
                                .then(|| view! { <TimeLines snapshot=snapshot.clone() me has_next /> });
                            let next_game = (has_next && times.is_none()).then(|| view! { <NextGame after=id /> });
                            let rules = snapshot.tournament;
                            let tournament = rules.map(|rules| TournamentId(rules.id));
                            let offers_after = rules.map_or(0, |rules| rules.offers_after);
                            let in_tournament = tournament.is_some();
                            let of_tournament = tournament
                                .map(|tournament| view! { <OfTournament id=tournament match_id=id signed_in=account.is_some() plays=me.is_some() offers_after /> });
                            let berserk = rules
                                .filter(|rules| rules.berserk)
                                .map(|_| view! { <Berserk snapshot=snapshot.clone() me refused=refused_berserk.get_value() /> });
                            let can_adjourn = me.is_some() && !ended && !by_correspondence && snapshot.adjournment.is_none() && !in_tournament
                                && !snapshot.players.iter().any(|player| player.bot);
                            let adjourn = can_adjourn
                                .then(|| view! { <AdjournmentOffer id refused=refused_offer.get_value() /> });
                            let adjourned = snapshot.adjournment.map(|_| {
                                let refused = refused_resume.get_value().or_else(|| refused.get_value());
                                let noted = opened().as_deref() == Some("here");
                                view! { <AdjournmentState snapshot=snapshot.clone() me noted refused /> }
                            });
                            // Nothing on the board is to be done meanwhile.
                            let plays = me.filter(|_| snapshot.adjournment.is_none());
                            let is_slow = times.is_some() || next_game.is_some() || notes.is_some() || adjourn.is_some() || in_tournament;
                            let slow_game = is_slow.then(|| {
                                view! {
                                    <section class="slow-game">
                                        {berserk}
                                        {of_tournament}
                                        {times}
                                        {next_game.map(|next_game| view! { <p class="button-row">{next_game}</p> })}
                                        {notes}
                                        {adjourn}
                                    </section>
                                }
                            });
                            let terms = describe_terms(language, snapshot.setup, snapshot.time_control, snapshot.rated);
                            let data = MatchPageData { snapshot, terms, me: plays, ply, form_id: form_client_id(), refused: refused.get_value() };
                            view! {
                                <EscapedTitle text=title />
                                {link}
                                // The parser waits for it, so that nothing is to move meanwhile.
                                <StreamScript />
                                <BoardTools />
                                <StonesStylesheet game />
                                <noscript inner_html=words></noscript>
                                {ended.then(|| view! { <i class="ended" hidden></i> })}
                                {challenged}
                                {adjourned}
                                <div
                                    class=side::stones_class(game)
                                    class:no-score=!side::has_score(game)
                                    class:correspondence=by_correspondence
                                    class:in-tournament=in_tournament
                                >
                                    {MATCH_PAGE.embed(data, || view! { <MatchIsland>{slow_game}<AnnulmentForm id rated annulled offered /><MatchChat id chat me=account plays=me.is_some() auto_reload /></MatchIsland> })}
                                </div>
                            }
                                .into_any()
                        }
                        (Err(error), _) if error.code == Code::NoSuchMatch => view! { <NotFound /> }.into_any(),
                        (Err(error), _) | (_, Err(error)) => view! { <PageError error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// Loads the match, and the challenges to its player once it is over.
async fn load_match(id: MatchId) -> Result<(Snapshot, Vec<Challenge>), ErrorResponse> {
    let snapshot = api::match_snapshot(id, Some(true)).await?;
    let challenges = read_challenges(&snapshot).await;
    Ok((snapshot, challenges))
}

/// Data of the island.
#[derive(Serialize, Deserialize)]
struct MatchPageData {
    snapshot: Snapshot,
    /// Game, board and time control in words.
    terms: String,
    /// The visitor's seat; `None` for spectators.
    me: Option<Seat>,
    /// The requested ply, if it is not the last.
    ply: Option<usize>,
    /// The `client_id` of a move that is posted without scripts.
    form_id: String,
    /// The error of a form posted without scripts.
    refused: Option<ErrorResponse>,
}

static MATCH_PAGE: IslandData<MatchPageData> = IslandData::new("snapshot");

#[island]
fn MatchIsland(
    /// The chat, which is rendered by the server only.
    children: Children,
) -> impl IntoView {
    let language = language();
    let MatchPageData {
        snapshot,
        me,
        ply,
        form_id,
        refused,
        terms,
    } = MATCH_PAGE.read();
    let controller = MatchController::new(&snapshot, me, language);
    if let Some(ply) = ply {
        controller.steps.jump(ply);
    }
    let rematch_terms = RematchTerms::new(snapshot.rated);
    if let Some(error) = refused {
        controller.show_error(&error);
        rematch_terms.note_refusal(&error);
    }
    let hint = RwSignal::new(None);
    let announcement = RwSignal::new(String::new());
    let input = me.map(|seat| BoardInput {
        seat: Signal::derive(move || controller.can_move(seat).then_some(seat)),
        play: Callback::new(move |mv| controller.play_move(seat, mv)),
        hint,
        announcement,
        score: Callback::new(move |()| score_and_turn(language, controller, seat)),
        clocks: Callback::new(move |()| clock_times(language, controller)),
    });
    let offer_action = FormAction::new(None);
    if let Some(me) = me {
        // A rematch is asked for after the end, when there are no offers.
        notify_requests(controller, me);
    }
    // The memo keeps the same input element from move to move.
    let running = Memo::new(move |_| controller.running());
    let actions = move || {
        me.filter(|_| running.get()).map(|seat| {
            view! {
                <div class="card actions">
                    <Offers controller me=seat form_action=offer_action />
                    <p role="alert" class="refusal">
                        {move || offer_action.error.with(|error| Some(words::match_error(language, error.as_ref()?)))}
                    </p>
                    <ResignButton controller />
                    <MoveEntry controller seat form_id=form_id.clone() />
                </div>
            }
        })
    };
    let watching = move || {
        let count = controller.status.with(|status| status.watching);
        (count > 0).then(|| t!(language, watching.count, count = count))
    };
    let names = Seat::BOTH.map(|seat| controller.name(seat));
    let title = versus(&names);
    view! {
        <ConnectionLost lost=controller.connection_lost />
        // On a phone one's own panel is below the board and the opponent's above it.
        <div
            class="table"
            class:own-first=me == Some(Seat::First)
            class:in-past=move || controller.steps.in_past()
        >
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
            </header>
            <PlayerPanel controller seat=Seat::First mine=me == Some(Seat::First) announcement />
            // Here, so that they stay in view where the page is scrolled.
            <NoticeList notices=controller.notices />
            <div class="middle">
                <div class="status" {..live()}>
                    <TurnIndicator controller me />
                    <MoveLimit controller />
                    <p class="watching">{watching}</p>
                    <AbsenceNotice controller me />
                    {me.map(|_| view! { <Hint controller hint /> })}
                </div>
                <PastBanner steps=controller.steps />
                <Board shown=controller.shown() input names />
                <Announcer controller me text=announcement />
            </div>
            <PlayerPanel controller seat=Seat::Second mine=me == Some(Seat::Second) announcement />
            <div class="below">
                <ResultCard controller me rematch_terms />
                {actions}
                <MoveList steps=controller.steps sending=controller.sending() />
                {children()}
            </div>
        </div>
    }
}

fn seat_of(snapshot: &Snapshot, player: Option<PlayerId>) -> Option<Seat> {
    let sits = |seat: &Seat| Some(snapshot.players[seat.index()].id) == player;
    Seat::BOTH.into_iter().find(sits)
}

/// The time of a match by correspondence in words, and what its players do in it: `public/time_lines.js` renews all that with
/// each move, and when a vacation begins or ends.
#[component]
fn TimeLines(
    snapshot: Snapshot,
    me: Option<Seat>,
    /// Whether the reader has other games.
    has_next: bool,
) -> impl IntoView {
    let next_game = has_next.then(|| view! { <NextGame after=snapshot.id /> });
    let by_correspondence = snapshot.time_control.pace() == Pace::Correspondence;
    let plays = me.filter(|_| by_correspondence);
    let rule = plays.map(|_| view! { <FairPlayRule rated=snapshot.rated /> });
    let board = plays.map(|_| view! { <OwnBoardLink id=snapshot.id /> });
    let waits = plays.is_some_and(|seat| snapshot.to_move == Some(seat.other()));
    let plan = waits.then(|| view! { <PlanLink id=snapshot.id /> });
    let buttons = (has_next || board.is_some())
        .then(|| view! { <p class="button-row">{next_game} {board} {plan}</p> });
    let first = snapshot
        .move_by
        .filter(|_| by_correspondence && !snapshot.begun)
        .map(|by| view! { <FirstMoveLine left=by - snapshot.now.unwrap_or_default() /> });
    let vacations = is_anyone_on_vacation(&snapshot)
        .then(|| view! { <VacationLines snapshot=snapshot.clone() /> });
    let night = is_flag_later(&snapshot).then(|| view! { <NightLine snapshot /> });
    view! {
        <div id="time-lines">{first} {vacations} {night} {rule} {buttons}</div>
        <script type="module" src=versioned_url("/time_lines.js", TIME_LINES)></script>
    }
}

/// The chat of the match.
#[component]
fn MatchChat(
    id: MatchId,
    chat: ChatHistory,
    me: Option<Account>,
    plays: bool,
    auto_reload: bool,
) -> impl IntoView {
    let audience = if plays {
        ChatAudience::Players
    } else {
        ChatAudience::Spectators
    };
    let here = format!("/match/{id}");
    let links = NoScriptLinks {
        static_url: format!("{here}?open=say"),
        page_url: here,
        is_static: !auto_reload,
    };
    let lobby = me.is_some().then(|| view! { <LobbyChatTab /> });
    // `public/chat.js` writes the names of those who watch into it.
    let watchers = plays
        .then(|| view! { <p id="watchers" class="note" title=t!(language(), watching.named)></p> });
    view! {
        {watchers}
        <ChatBox place=ChatPlace::Match(id) audience history=chat me links />
        {lobby}
    }
}

/// The time for the first moves, which is none of the clock.
#[component]
fn FirstMoveLine(left: Millis) -> impl IntoView {
    let language = language();
    view! { <p class="note">{t!(language, limit.first_days, time = span(language, left))}</p> }
}

/// The link to the board on which moves are tried.
#[component]
fn OwnBoardLink(id: MatchId) -> impl IntoView {
    view! {
        <a class="button quiet" href=format!("/match/{id}/analysis")>
            {t!(language(), plan.board)}
        </a>
    }
}

/// The link to the page of conditional moves, while the opponent is to move.
#[component]
fn PlanLink(id: MatchId) -> impl IntoView {
    view! {
        <a class="button quiet" href=format!("/match/{id}/plan")>
            {t!(language(), plan.title)}
        </a>
    }
}

/// The notes of the player, which nobody else reads.
#[component]
fn Notes(id: MatchId, text: String) -> impl IntoView {
    let language = language();
    view! {
        <details class="card" open=!text.is_empty()>
            <summary>{t!(language, notes.title)}</summary>
            <form method="post" action=api::SetNotes::url()>
                <input type="hidden" name="match_id" value=id.to_string() />
                <textarea
                    name="text"
                    rows="4"
                    maxlength=NOTES_MAX_CHARS
                    aria-label=t!(language, notes.title)
                    inner_html=escaped(&text)
                ></textarea>
                <p class="note">{t!(language, notes.about)}</p>
                <p class="button-row">
                    <button type="submit" class="quiet">
                        {t!(language, plan.save)}
                    </button>
                </p>
            </form>
        </details>
    }
}

/// Returns the part of the page that its address opens.
fn opened() -> Option<String> {
    use_query_map().with_untracked(|query| query.get("open"))
}

/// Returns whether the reader is to seal a move now, for which there is a page of its own, and has not come from there to look at this
/// one.
fn seals(snapshot: &Snapshot, me: Option<Seat>) -> bool {
    let is_to_seal = snapshot.adjournment.is_some() && me.is_some() && snapshot.to_move == me;
    is_to_seal && opened().is_none()
}

/// Returns whether the page reloads itself without scripts: only while its reader waits, not while it is their turn, while they
/// look at an earlier move or write a message, nor after the end. Nobody waits for days before the page of a correspondence match.
fn auto_reload(snapshot: &Snapshot, me: Option<Seat>, ply: Option<usize>) -> bool {
    let says = opened().as_deref() == Some("say");
    let waits = snapshot.to_move.is_some() && snapshot.to_move != me;
    waits && snapshot.time_control.pace() == Pace::Live && ply.is_none() && !says
}

/// Returns the `<noscript>` content: an automatic reload, or the heartbeat frame that keeps a player present.
fn noscript_markup(
    language: Language,
    snapshot: &Snapshot,
    me: Option<Seat>,
    auto_reload: bool,
) -> String {
    if auto_reload {
        format!(
            r#"<meta http-equiv="refresh" content="{};url=/match/{}">"#,
            PAGE_RELOAD_INTERVAL.as_secs(),
            snapshot.id
        )
    } else if me.is_some() && snapshot.time_control.pace() == Pace::Live {
        let frame = heartbeat::frame(language, snapshot);
        // Who writes a message is not disturbed.
        let says = opened().as_deref() == Some("say");
        let renewed = snapshot.adjournment.filter(|_| !says);
        let renewed =
            renewed.and_then(|adjourned| renewed_in(&adjourned, snapshot.now.unwrap_or_default()));
        match renewed {
            // At the same address, which may say that the player has come. Rounded up, so that the time has come then.
            Some(left) => format!(
                r#"<meta http-equiv="refresh" content="{}">{frame}"#,
                left.0.max(0) / 1000 + 1
            ),
            None => frame,
        }
    } else {
        String::new()
    }
}

/// Returns a `client_id` for this rendering of the page, so that a form submitted twice without scripts moves once.
///
/// The keys of the hasher are random, which saves a dependency.
fn form_client_id() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("f{:x}", RandomState::new().hash_one(0))
}
