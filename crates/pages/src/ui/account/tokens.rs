//! Tokens of programs: their list, making one, and seeing it once. Becoming a bot.

use crate::api;
use crate::ui::account::form_parts::{CurrentPassword, EndForm, FormError};
use crate::ui::account::secret_list::SecretList;
use crate::ui::forms::fields::RadioButton;
use crate::ui::islands::form_action::form_error;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::text::time::{Date, DateTime};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use tochki_protocol::{Scope, TokenSummary, limits};

/// The token that has just been made, as `http::new_token` provides it to the page that shows it.
#[derive(Clone)]
pub struct ShownToken {
    /// The player's name for the token.
    pub name: String,
    /// The token.
    pub token: String,
}

/// The section of the account page.
#[component]
pub(super) fn Tokens(tokens: Vec<TokenSummary>) -> impl IntoView {
    let language = language();
    let error = form_error::<api::EndToken>();
    let rows = tokens.into_iter().map(|token| view! { <TokenRow token /> });
    view! {
        <section class="card" aria-labelledby="tokens-title" id="tokens">
            <h2 id="tokens-title">{t!(language, tokens.title)}</h2>
            <p>
                {t!(language, tokens.about)} " " <a href="/programs">{t!(language, tokens.programs)}</a>
            </p>
            <FormError error />
            <ul>{rows.collect_view()}</ul>
            <CreateTokenForm />
        </section>
    }
}

#[component]
fn TokenRow(token: TokenSummary) -> impl IntoView {
    let language = language();
    let scope = if token.scopes.contains(&Scope::Play) {
        t!(language, tokens.may_play)
    } else {
        t!(language, tokens.may_read)
    };
    let end = match token.expires_at {
        Some(at) => view! { {t!(language, tokens.ends)} " " <Date at /> }.into_any(),
        None => t!(language, tokens.endless).into_any(),
    };
    let used = match token.used_at {
        Some(at) => view! { {t!(language, tokens.used)} " " <DateTime at /> }.into_any(),
        None => t!(language, tokens.unused).into_any(),
    };
    let label = t!(language, tokens.end_which, name = &token.name);
    view! {
        <li>
            <div>
                <p class="browser">{token.name}</p>
                <p class="note">{scope} " · " {end} " · " {used}</p>
            </div>
            <EndForm
                action=api::EndToken::url()
                id=token.id
                next="/account?done=token#tokens"
                label
                say=t!(language, tokens.end)
            />
        </li>
    }
}

#[component]
fn CreateTokenForm() -> impl IntoView {
    let language = language();
    let error = form_error::<api::CreateToken>();
    let open = error.is_some();
    view! {
        <details open=open>
            <summary>{t!(language, tokens.make)}</summary>
            // The answer is a page, which shows the token once.
            <form action="/account/token" method="post">
                <FormError error />
                <div class="field">
                    <label for="token-name">{t!(language, tokens.name)}</label>
                    <input
                        id="token-name"
                        name="name"
                        required
                        maxlength=limits::TOKEN_NAME_MAX_CHARS
                        autocomplete="off"
                        aria-describedby="token-name-note"
                    />
                    <p id="token-name-note" class="note">
                        {t!(language, tokens.name_hint)}
                    </p>
                </div>
                <fieldset>
                    <legend>{t!(language, tokens.scope)}</legend>
                    <div class="options">
                        <RadioButton name="scopes" value="read" label=t!(language, tokens.scope_read) checked=true />
                        <RadioButton
                            name="scopes"
                            value="read,play"
                            label=t!(language, tokens.scope_play)
                            checked=false
                        />
                    </div>
                </fieldset>
                <fieldset>
                    <legend>{t!(language, tokens.until)}</legend>
                    <div class="options">
                        <RadioButton name="end" value="month" label=t!(language, tokens.month) checked=true />
                        <RadioButton name="end" value="year" label=t!(language, tokens.year) checked=false />
                        <RadioButton name="end" value="never" label=t!(language, tokens.never) checked=false />
                    </div>
                </fieldset>
                <CurrentPassword id="password-token" />
                <button type="submit">{t!(language, tokens.make)}</button>
            </form>
        </details>
    }
}

/// Becoming a bot: explains the consequences first, then asks for the password.
#[component]
pub(super) fn BotSection(bot: bool) -> impl IntoView {
    let language = language();
    let error = form_error::<api::BecomeBot>();
    let open = error.is_some();
    let form = (!bot).then(|| {
        view! {
            <details open=open>
                <summary>{t!(language, bots.make_open)}</summary>
                <p>{t!(language, bots.make_about)}</p>
                <form action=api::BecomeBot::url() method="post">
                    <FormError error />
                    <CurrentPassword id="password-bot" />
                    <label class="confirmation">
                        <input type="checkbox" required />
                        {t!(language, bots.make_sure)}
                    </label>
                    <input type="hidden" name="next" value="/account#bot" />
                    <button type="submit">{t!(language, bots.make)}</button>
                </form>
            </details>
        }
    });
    let about = if bot {
        t!(language, bots.already)
    } else {
        t!(language, bots.fair)
    };
    view! {
        <section class="card" aria-labelledby="bot-title" id="bot">
            <h2 id="bot-title">{t!(language, bots.title)}</h2>
            <p>{about}</p>
            {form}
        </section>
    }
}

/// `/account/token`: the answer to making a token. Loaded again, it leads back to the account page.
#[component]
pub(crate) fn NewTokenPage() -> impl IntoView {
    let language = language();
    let Some(ShownToken { name, token }) = use_context::<ShownToken>() else {
        return view! { <Redirect path="/account#tokens" /> }.into_any();
    };
    let title = t!(language, tokens.file_title, name = &name);
    view! {
        <Title text=t!(language, tokens.new_title) />
        <InfoStylesheet />
        <div class="info-page account">
            <h1>{t!(language, tokens.new_title)}</h1>
            <section class="card">
                <p>{t!(language, tokens.once)}</p>
                <SecretList items=vec![token] title file="tochki-token.txt" />
                <p>
                    <a href="/account#tokens">{t!(language, tokens.kept)}</a>
                </p>
            </section>
        </div>
    }
    .into_any()
}
