//! What is in the body of every page: header, main part by address, footer.

use crate::ui::account::{Account, Keep, Login, Register};
use crate::ui::board::Hatchings;
use crate::ui::front::Front;
use crate::ui::islands::hydrated::LastIsland;
use crate::ui::lobby::WaitingRoom;
use crate::ui::match_page::MatchPage;
use crate::ui::operator::Operator;
use crate::ui::replay::{Replay, Sgf};
use crate::ui::rules::{Rules, RulesOfAll};
use crate::ui::shell::footer::Footer;
use crate::ui::shell::header::Header;
use crate::ui::shell::not_found::Missing;
use crate::ui::shell::session::Session;
use crate::ui::stats::{History, Profile, Standings, StandingsOf};
use crate::ui::table::TablePage;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::{SsrMode, path};

/// The whole application, as the server renders it. What wakes up in a browser are its islands.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    Session::provide();
    let language = language();
    view! {
        <Title
            text=say!(language, site.name)
            formatter=move |text: String| {
                let name = say!(language, site.name);
                if text == name { text } else { format!("{text} · {name}") }
            }
        />
        <Router>
            <a class="skip" href="#main">
                {say!(language, site.skip)}
            </a>
            <Header />
            <main id="main" tabindex="-1">
                <FlatRoutes fallback=Missing>
                    <Route path=path!("/") view=Front ssr=SsrMode::Async />
                    <Route path=path!("/register") view=Register ssr=SsrMode::Async />
                    <Route path=path!("/login") view=Login ssr=SsrMode::Async />
                    <Route path=path!("/keep") view=Keep ssr=SsrMode::Async />
                    <Route path=path!("/play") view=WaitingRoom ssr=SsrMode::Async />
                    <Route path=path!("/t/:link") view=TablePage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id") view=MatchPage ssr=SsrMode::Async />
                    <Route path=path!("/match/:id/replay") view=Replay ssr=SsrMode::Async />
                    <Route path=path!("/rules") view=RulesOfAll ssr=SsrMode::Async />
                    <Route path=path!("/rules/:game") view=Rules ssr=SsrMode::Async />
                    <Route path=path!("/standings") view=Standings ssr=SsrMode::Async />
                    <Route path=path!("/standings/:game") view=StandingsOf ssr=SsrMode::Async />
                    <Route path=path!("/account") view=Account ssr=SsrMode::Async />
                    <Route path=path!("/history") view=History ssr=SsrMode::Async />
                    <Route path=path!("/sgf") view=Sgf ssr=SsrMode::Async />
                    <Route path=path!("/operator") view=Operator ssr=SsrMode::Async />
                    // `/@name`. It comes last, because every other word at the top would do for it, too.
                    <Route path=path!("/:at") view=Profile ssr=SsrMode::Async />
                </FlatRoutes>
            </main>
            <Footer />
            <Hatchings />
            <LastIsland />
        </Router>
    }
}
