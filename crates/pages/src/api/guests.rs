//! Guests, and turning a guest into an account.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{Account, TableId};

/// Creates a guest and a session, and takes a seat at `table` if given, with its `link` if it is not listed. A caller who is signed in keeps their account.
/// With `ready=true` the guest is ready there at once. `next` is the path to which a form without a table is redirected.
#[endpoint(
    name = CreateGuest,
    post = "/api/be_guest",
    answers = "Account, session cookie; sits down at `table`",
    errors(
        InvalidName, NameTaken, TooManyAttempts, AddressClosed, PlayersFull,
        AlreadyPlaying = "with `table`", NoSuchTable = "with `table`", Removed = "with `table`",
        TableFull = "with `table`", UnbegunGames = "with `table`",
    ),
)]
pub async fn create_guest(
    app: AppState,
    caller: Option<Player>,
    name: String,
    table: Option<TableId>,
    link: Option<String>,
    ready: Option<bool>,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let account = match caller {
        Some(player) => player.0,
        None => {
            let browser = crate::context::browser()?;
            app.capacity.check_player(None).await?;
            let signed_in = app.accounts.create_guest(&browser, &name).await?;
            crate::context::set_signed_in(signed_in)?
        }
    };
    if let Some(table) = table {
        let (link, ready) = (link.as_deref(), ready.unwrap_or_default());
        let client = crate::context::client_address()?;
        let table = app
            .tables
            .sit(
                &account,
                &client,
                table,
                link,
                ready,
                &mut tochki_server::secrets::random_u64,
            )
            .await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
    } else {
        crate::context::redirect_form(next, "/play");
    }
    Ok(account)
}

/// Suggests a name for a guest, in the language of the page (`en`, `zh-Hans`, …; otherwise English).
#[endpoint(
    name = SuggestName,
    get = "/api/made_up_name",
    scope = Read,
    answers = "a free name for a guest, as a string",
)]
pub async fn suggest_name(
    app: AppState,
    language: Option<String>,
) -> Result<String, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    let language = language.unwrap_or_default();
    let accounts = &app.accounts;
    accounts.suggest_name(&language, &mut random_u64).await
}

/// Turns the calling guest into an account: the same player with a password, under this name. `next` is the path to which
/// a form is redirected.
#[endpoint(
    name = KeepAccount,
    post = "/api/keep_account",
    who = "guest",
    answers = "Account, session cookie: the guest has become one",
    errors(NotAGuest, InvalidName, InvalidPassword, NameTaken, TooManyAttempts),
)]
pub async fn keep_account(
    app: AppState,
    guest: SessionPlayer,
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let browser = crate::context::browser()?;
    let signed_in = app
        .accounts
        .register_guest_account(&browser, &guest, &guest.token, &name, &password)
        .await?;
    // Agreements of others with the guest are over, and they are told.
    app.lobbies.refresh_all();
    crate::context::redirect_form(next, "/play");
    crate::context::set_signed_in(signed_in)
}
