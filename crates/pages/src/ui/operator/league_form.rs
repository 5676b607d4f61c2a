//! The form by which operators open a league. It goes on by itself.

use crate::api;
use crate::ui::games;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::limits::{LEAGUE_DEFAULT_LEAD_DAYS, LEAGUE_LEAD_DAYS, LEAGUE_NAME_CHARS};
use tochki_rules::GameKind;

/// The clock that the form proposes.
const CLOCK: &str = "600+5";

/// The form of a new league.
#[component]
pub(crate) fn LeagueForm() -> impl IntoView {
    let language = language();
    let games = GameKind::ALL.iter().map(|&game| {
        view! { <option value=game.id()>{games::title(language, game)}</option> }
    });
    view! {
        <section class="card" aria-labelledby="league-title">
            <h2 id="league-title">{t!(language, leagues.open)}</h2>
            <form action=api::OpenLeague::url() method="post" class="button-row">
                <label>
                    {t!(language, tournaments.name)} " "
                    <input
                        name="name"
                        required
                        autocomplete="off"
                        minlength=*LEAGUE_NAME_CHARS.start()
                        maxlength=*LEAGUE_NAME_CHARS.end()
                    />
                </label>
                <label>
                    {t!(language, leagues.game)} " "
                    <select name="game" autocomplete="off">
                        {games.collect_view()}
                    </select>
                </label>
                <label>
                    {t!(language, leagues.clock)} " "
                    <input name="clock" value=CLOCK required autocomplete="off" />
                </label>
                <label>
                    {t!(language, leagues.in_days)} " "
                    <input
                        type="number"
                        name="in_days"
                        min=*LEAGUE_LEAD_DAYS.start()
                        max=*LEAGUE_LEAD_DAYS.end()
                        value=LEAGUE_DEFAULT_LEAD_DAYS
                    />
                </label>
                <button type="submit">{t!(language, leagues.open)}</button>
            </form>
        </section>
    }
}
