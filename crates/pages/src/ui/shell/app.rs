//! The body of every page: header, routes, footer.

use crate::ui::account::{
    AccountPage, ConfirmMailPage, KeepAccountPage, LoginPage, NewTokenPage, RecoverPage,
    RecoveryCodesPage, RegisterPage, ResetByMailPage, UnsubscribePage,
};
use crate::ui::analysis::{AnalysisPage, AnalysisStartPage, MatchAnalysisPage, PlanPage, SealPage};
use crate::ui::board::Hatchings;
use crate::ui::chat::LobbyChatPage;
use crate::ui::computer::{
    ComputerGamePage, ComputerPage, ComputerSetupPage, KeptGamePage, KeptGamesPage,
};
use crate::ui::front::FrontPage;
use crate::ui::islands::hydrated::HydrationMarker;
use crate::ui::keys::KeysPage;
use crate::ui::lobby::LobbyPage;
use crate::ui::match_page::MatchPage;
use crate::ui::notifications::NotificationsPage;
use crate::ui::operator::{ActivityPage, OperatorPage, RingsPage};
use crate::ui::own_games::{NextGamePage, OwnGamesPage};
use crate::ui::page::games_on_turn::GamesOnTurn;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::programs::ProgramsPage;
use crate::ui::puzzles::{PuzzlePage, PuzzlesPage};
use crate::ui::records::SgfPage;
use crate::ui::replay::ReplayPage;
use crate::ui::rules::{RulesIndexPage, RulesPage};
use crate::ui::shell::footer::Footer;
use crate::ui::shell::header::Header;
use crate::ui::shell::new_release::NewRelease;
use crate::ui::shell::start::FallbackLine;
use crate::ui::social_card::SocialCard;
use crate::ui::stats::{GameStandingsPage, HistoryPage, ProfilePage, StandingsPage};
use crate::ui::table::TablePage;
use crate::ui::text::{language, t};
use crate::ui::tournaments::{
    LeaguePage, LeaguesPage, NewTournamentPage, TournamentPage, TournamentsPage,
};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::{SsrMode, path};

/// The whole application, as the server renders it. A browser hydrates only its islands.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    VisitorSession::provide();
    let own_games = GamesOnTurn::provide();
    let language = language();
    view! {
        <Title
            text=t!(language, site.name)
            formatter=move |text: String| {
                let name = t!(language, site.name);
                let text = if text == name { text } else { format!("{text} · {name}") };
                own_games.title(&text)
            }
        />
        <SocialCard />
        <Router>
            <a class="skip" href="#main">
                {t!(language, site.skip)}
            </a>
            <Header />
            <FallbackLine />
            // Shown where `public/offline.js` finds no connection, and by the service worker's copies of pages.
            <p class="offline-line">{t!(language, offline.line)}</p>
            <main id="main" tabindex="-1">
                <FlatRoutes fallback=NotFound>
                    <Route path=path!("/") view=FrontPage ssr=SsrMode::Async />
                    <Route path=path!("/register") view=RegisterPage ssr=SsrMode::Async />
                    <Route path=path!("/login") view=LoginPage ssr=SsrMode::Async />
                    <Route path=path!("/keep") view=KeepAccountPage ssr=SsrMode::Async />
                    <Route path=path!("/play") view=LobbyPage ssr=SsrMode::Async />
                    <Route path=path!("/chat") view=LobbyChatPage ssr=SsrMode::Async />
                    <Route path=path!("/t/:link") view=TablePage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id") view=MatchPage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id/replay") view=ReplayPage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id/analysis") view=MatchAnalysisPage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id/plan") view=PlanPage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id/seal") view=SealPage ssr=SsrMode::Async />
                    <Route path=path!("/analysis") view=AnalysisPage ssr=SsrMode::Async />
                    <Route path=path!("/analysis/:game") view=AnalysisStartPage ssr=SsrMode::Async />
                    <Route path=path!("/computer") view=ComputerPage ssr=SsrMode::Async />
                    <Route path=path!("/computer/game") view=ComputerGamePage ssr=SsrMode::Async />
                    <Route path=path!("/computer/:game") view=ComputerSetupPage ssr=SsrMode::Async />
                    <Route path=path!("/puzzles") view=PuzzlesPage ssr=SsrMode::Async />
                    <Route path=path!("/puzzle/:id") view=PuzzlePage ssr=SsrMode::Async />
                    <Route path=path!("/tournaments") view=TournamentsPage ssr=SsrMode::Async />
                    <Route path=path!("/tournaments/new") view=NewTournamentPage ssr=SsrMode::Async />
                    <Route path=path!("/tournament/:id") view=TournamentPage ssr=SsrMode::Async />
                    <Route path=path!("/leagues") view=LeaguesPage ssr=SsrMode::Async />
                    <Route path=path!("/league/:id") view=LeaguePage ssr=SsrMode::Async />
                    <Route path=path!("/rules") view=RulesIndexPage ssr=SsrMode::Async />
                    <Route path=path!("/rules/:game") view=RulesPage ssr=SsrMode::Async />
                    <Route path=path!("/keys") view=KeysPage ssr=SsrMode::Async />
                    <Route path=path!("/programs") view=ProgramsPage ssr=SsrMode::Async />
                    <Route path=path!("/standings") view=StandingsPage ssr=SsrMode::Async />
                    <Route path=path!("/standings/:game") view=GameStandingsPage ssr=SsrMode::Async />
                    <Route path=path!("/recover") view=RecoverPage ssr=SsrMode::Async />
                    <Route path=path!("/account") view=AccountPage ssr=SsrMode::Async />
                    <Route path=path!("/account/codes") view=RecoveryCodesPage ssr=SsrMode::Async />
                    <Route path=path!("/account/token") view=NewTokenPage ssr=SsrMode::Async />
                    <Route path=path!("/games") view=OwnGamesPage ssr=SsrMode::Async />
                    <Route path=path!("/games/next") view=NextGamePage ssr=SsrMode::Async />
                    <Route path=path!("/mail/confirm") view=ConfirmMailPage ssr=SsrMode::Async />
                    <Route path=path!("/mail/reset") view=ResetByMailPage ssr=SsrMode::Async />
                    <Route path=path!("/mail/unsubscribe/:token") view=UnsubscribePage ssr=SsrMode::Async />
                    <Route path=path!("/history") view=HistoryPage ssr=SsrMode::Async />
                    <Route path=path!("/history/computer") view=KeptGamesPage ssr=SsrMode::Async />
                    <Route path=path!("/history/computer/:id") view=KeptGamePage ssr=SsrMode::Async />
                    <Route path=path!("/notifications") view=NotificationsPage ssr=SsrMode::Async />
                    <Route path=path!("/sgf") view=SgfPage ssr=SsrMode::Async />
                    <Route path=path!("/operator") view=OperatorPage ssr=SsrMode::Async />
                    <Route path=path!("/operator/house") view=ActivityPage ssr=SsrMode::Async />
                    <Route path=path!("/operator/rings") view=RingsPage ssr=SsrMode::Async />
                    // `/@name`. It is last because it matches every single-segment path.
                    <Route path=path!("/:at") view=ProfilePage ssr=SsrMode::Async />
                </FlatRoutes>
            </main>
            <Footer />
            <NewRelease />
            <Hatchings />
            <HydrationMarker />
        </Router>
    }
}
