//! Open tables: opening, joining, getting ready, leaving.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{ClockText, Invitation, PlayerId, SetupText, Table, TableId};

/// Opens a table and takes a seat at it. By default its name is that of the caller. By correspondence it is open for 14 days, whether
/// the caller is there or not, and who sits down starts the match; `min_rating` and
/// `max_rating` are the bounds of their rating then.
#[endpoint(
    name = CreateTable,
    post = "/api/open_table",
    scope = Play,
    answers = "Table; the caller sits there",
    errors(
        UnknownGame, InvalidSetup, InvalidClock, InvalidTableName, AlreadyPlaying, Muted = "an own name",
        TooManyTables, TablesFull, TooManyRequests, GuestsUnrated = "by correspondence",
        UnbegunGames = "by correspondence", InvalidFilter, OnVacation,
    ),
)]
pub async fn open_table(
    app: AppState,
    player: Player,
    name: Option<String>,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
    min_rating: Option<i32>,
    max_rating: Option<i32>,
) -> Result<Table, ErrorResponse> {
    use tochki_protocol::RatingBounds;
    use tochki_server::secrets::random_u64;
    use tochki_server::time_zones::AgreedGame;

    let terms = crate::context::terms(&game, setup, clock, rated)?;
    let name = name.unwrap_or_default();
    let client = crate::context::client_address()?;
    let ratings = if terms.is_correspondence() {
        RatingBounds::new(min_rating, max_rating)?
    } else {
        // A live game has none: its creator sees who sits down.
        RatingBounds::default()
    };
    crate::context::adopt_time_zone(&player, AgreedGame::New(&terms)).await?;
    let tables = &app.tables;
    let table = tables
        .create(&player, &client, &name, &terms, ratings, &mut random_u64)
        .await?;
    crate::context::redirect_form(None, &crate::context::table_page(&table));
    Ok(table)
}

/// A table by its link.
#[endpoint(
    name = ReadTable,
    get = "/api/table",
    scope = Read,
    answers = "Table",
    errors(NoSuchTable),
    page,
)]
pub async fn table(
    app: AppState,
    viewer: Option<Player>,
    link: String,
) -> Result<Table, ErrorResponse> {
    let link = crate::context::table_link(&link)?;
    let viewer = viewer.map(|viewer| viewer.id);
    app.tables.table_for(&link, viewer).await
}

/// The open table at which the caller has a seat, or which they have opened.
#[endpoint(
    name = ReadMyTable,
    get = "/api/my_table",
    scope = Read,
    answers = "the open Table where the caller sits or which they opened, or `null`",
)]
pub async fn my_table(app: AppState, player: Player) -> Result<Option<Table>, ErrorResponse> {
    app.tables.of_player(&player).await
}

/// The URL of a table, as text and as a QR code.
#[endpoint(
    name = ReadInvitation,
    get = "/api/invitation",
    scope = Read,
    answers = "`{address, squares, dark}`: the whole address, and its QR code as the side in squares and an SVG path",
    errors(NoSuchTable),
)]
pub async fn invitation(app: AppState, link: String) -> Result<Invitation, ErrorResponse> {
    let tables = &app.tables;
    let origin = crate::context::origin()?;
    let table = tables.table(&crate::context::table_link(&link)?).await?;
    tochki_server::tables::invite(origin + &crate::context::table_page(&table))
}

/// Takes a free seat. By correspondence that starts the match. A table that is not listed needs its `link`. With `ready=true` the caller is ready at once, as on the page of an
/// invitation.
#[endpoint(
    name = Sit,
    post = "/api/sit",
    scope = Play,
    answers = "Table",
    errors(
        AlreadyPlaying, NoSuchTable, Removed, TableFull, TooManyRequests, SelfChallenge = "by correspondence",
        NotAccepted = "by correspondence", GuestsUnrated = "by correspondence", TooManyGames,
        UnbegunGames = "by correspondence", TermsChanged, AbortCooldown, OnVacation,
    ),
)]
pub async fn sit(
    app: AppState,
    player: Player,
    table: TableId,
    link: Option<String>,
    ready: Option<bool>,
) -> Result<Table, ErrorResponse> {
    use tochki_server::secrets::random_u64;
    use tochki_server::time_zones::AgreedGame;

    let (link, ready) = (link.as_deref(), ready.unwrap_or_default());
    let client = crate::context::client_address()?;
    crate::context::adopt_time_zone(&player, AgreedGame::Table(table)).await?;
    let table = app
        .tables
        .sit(&player, &client, table, link, ready, &mut random_u64)
        .await?;
    crate::context::redirect_form(None, &crate::context::table_page(&table));
    Ok(table)
}

/// Leaves the seat. If the caller is the creator, the table is closed. `next` is the path to which a form is redirected.
#[endpoint(
    name = StandUp,
    post = "/api/stand_up",
    scope = Play,
    answers = "`null`; with its creator the table closes",
    errors(NoSuchTable, NotSeated),
)]
pub async fn stand_up(
    app: AppState,
    player: Player,
    table: TableId,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.tables.stand_up(&player, table).await?;
    crate::context::redirect_form(next, "/play");
    Ok(())
}

/// Sets whether the caller is ready, for the `agreement` that they have seen, if it is given. When both are, the match starts,
/// and the answer contains its id.
#[endpoint(
    name = SetReady,
    post = "/api/ready",
    scope = Play,
    answers = "Table, with `match` once both are ready",
    errors(
        NoSuchTable, NotSeated, TermsChanged, MatchesFull, AbortCooldown, AlreadyPlaying, OnVacation,
    ),
)]
pub async fn ready(
    app: AppState,
    player: Player,
    table: TableId,
    ready: bool,
    agreement: Option<String>,
) -> Result<Table, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    let tables = &app.tables;
    let table = tables
        .ready(&player, table, ready, agreement.as_deref(), &mut random_u64)
        .await?;
    match table.match_id {
        Some(id) => crate::context::redirect_form(None, &format!("/match/{id}")),
        None => crate::context::redirect_form(None, &crate::context::table_page(&table)),
    }
    Ok(table)
}

/// Removes a player from their seat. Only for the creator.
#[endpoint(
    name = RemovePlayer,
    post = "/api/remove_player",
    scope = Play,
    who = "creator",
    answers = "Table",
    errors(NoSuchTable, NotYours, NotSeated),
)]
pub async fn remove_player(
    app: AppState,
    caller: Player,
    table: TableId,
    player: PlayerId,
) -> Result<Table, ErrorResponse> {
    let table = app.tables.remove(&caller, table, player).await?;
    crate::context::redirect_form(None, &crate::context::table_page(&table));
    Ok(table)
}
