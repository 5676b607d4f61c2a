//! The forms by which an operator annuls a finished rated match, on its page, or all of an account.

use crate::api;
use crate::ui::islands::form_action::form_error;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::limits;
use tochki_protocol::{Snapshot, Status};

/// A note that a match is annulled, for everybody; the form to annul it, for operators. `public/chat.js` shows the note when a
/// match is annulled while its page is open.
#[component]
pub(crate) fn AnnulmentForm(
    id: tochki_protocol::MatchId,
    /// Whether the match is rated.
    rated: bool,
    annulled: bool,
    /// Whether the reader may annul the match.
    offered: bool,
) -> impl IntoView {
    let language = language();
    let refused = form_error::<api::OperatorAnnul>().map(|error| error_text(language, &error));
    let note = rated.then(|| {
        view! {
            <div role="status">
                <section id="annulled-note" class="annulled" hidden=!annulled aria-labelledby="annulled">
                    <div class="card">
                        <h2 id="annulled">{t!(language, annulled.badge)}</h2>
                        <p>{t!(language, annulled.about)}</p>
                    </div>
                </section>
            </div>
        }
    });
    let form = offered.then(|| {
        view! {
            <details class="card annulment" open=refused.is_some()>
                <summary>{t!(language, operator.annul)}</summary>
                <p class="note">{t!(language, operator.annul_about)}</p>
                <form method="post" action=api::OperatorAnnul::url() autocomplete="off">
                    <input type="hidden" name="match_id" value=id.0 />
                    <label>{t!(language, operator.why)} <input name="why" maxlength=limits::MESSAGE_MAX_CHARS /></label>
                    <button type="submit" class="quiet">
                        {t!(language, operator.annul)}
                    </button>
                </form>
                <p role="alert" class="refusal">
                    {refused}
                </p>
            </details>
        }
    });
    view! {
        {note}
        {form}
    }
}

/// Annuls all rated games of an account. Closed at first, so that nobody presses it by accident.
#[component]
pub(crate) fn AnnulAllForm(player: tochki_protocol::PlayerId) -> impl IntoView {
    let language = language();
    view! {
        <details class="annulment">
            <summary>{t!(language, operator.annul_all)}</summary>
            <p class="note">{t!(language, operator.annul_all_about)}</p>
            <form method="post" action=api::OperatorAnnulAll::url() autocomplete="off">
                <input type="hidden" name="player" value=player.0 />
                <label>{t!(language, operator.why)} <input name="why" maxlength=limits::MESSAGE_MAX_CHARS /></label>
                <button type="submit" class="quiet">
                    {t!(language, operator.annul_all)}
                </button>
            </form>
        </details>
    }
}

/// Returns whether an operator can annul this match.
pub(crate) fn can_be_annulled(snapshot: &Snapshot) -> bool {
    let rated = snapshot
        .result
        .as_ref()
        .is_some_and(|result| result.ratings.is_some());
    snapshot.status == Status::Finished && rated && !snapshot.annulled
}
