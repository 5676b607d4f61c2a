//! The moderation actions for a player, as one form with several submit buttons.

use crate::api;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::operator::restriction;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::limits;
use tochki_protocol::{MessageId, ModeratedPlayer, ReportId};

/// The form. Enter presses its first button, which is a harmless one.
#[component]
pub(crate) fn ModerationForm(
    /// The player; for a deleted one only the report can be dismissed.
    about: Option<ModeratedPlayer>,
    report: Option<ReportId>,
    /// The reported message, if it can be removed.
    #[prop(optional_no_strip)]
    message: Option<MessageId>,
) -> impl IntoView {
    let language = language();
    let RenderedAt(now) = use_context().unwrap_or_default();
    let dismiss = report.map(|id| {
        view! {
            <input type="hidden" name="report" value=id.0 />
            <button type="submit" class="quiet" formaction=api::OperatorDismiss::url()>
                {t!(language, operator.dismiss)}
            </button>
        }
    });
    let remove = message.map(|id| {
        view! {
            <input type="hidden" name="message" value=id.0 />
            <button type="submit" class="quiet" formaction=api::OperatorRemoveMessage::url()>
                {t!(language, operator.remove)}
            </button>
        }
    });
    let mute = |length: &'static str, text: &'static str| {
        view! {
            <button type="submit" class="quiet" name="length" value=length formaction=api::OperatorMute::url()>
                {text}
            </button>
        }
    };
    let against = about.map(|judged| {
        let muted = judged.muted_until.is_some_and(|until| until > now);
        let closed = judged.closed_at.is_some();
        let unmute = muted.then(|| mute("none", t!(language, operator.unmute)));
        view! {
            <input type="hidden" name="player" value=judged.player.id.0 />
            <p class="standing">{restriction(language, &judged, now)}</p>
            {unmute}
            {mute("hour", t!(language, operator.mute_hour))}
            {mute("day", t!(language, operator.mute_day))}
            {mute("ever", t!(language, operator.mute_ever))}
            <button
                type="submit"
                class="quiet"
                name="closed"
                value=if closed { "false" } else { "true" }
                formaction=api::OperatorClose::url()
            >
                {if closed { t!(language, operator.open) } else { t!(language, operator.close) }}
            </button>
        }
    });
    view! {
        <form class="sanctions" method="post" action=api::OperatorMute::url() autocomplete="off">
            <label>{t!(language, operator.why)} <input name="why" maxlength=limits::MESSAGE_MAX_CHARS /></label>
            {dismiss}
            {remove}
            {against}
        </form>
    }
}
