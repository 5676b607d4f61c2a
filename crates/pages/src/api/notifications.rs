//! Notifications of what happened while the caller was away, and the switches of their kinds.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{
    MatchId, NotificationId, NotificationPage, NotificationSwitches, PushKey, Unread,
};

/// A page of the caller's notifications, latest first. `page` is counted from 1.
#[endpoint(
    name = ReadNotificationPage,
    get = "/api/notifications",
    scope = Read,
    answers = "`{notifications: [Notification, …], unread, page, more}`, 30 a page; kept for 90 days",
    page,
)]
pub async fn notifications(
    app: AppState,
    player: Player,
    page: Option<u32>,
) -> Result<NotificationPage, ErrorResponse> {
    app.notifications.page(&player, page.unwrap_or(1)).await
}

/// The number of the caller's unread notifications.
#[endpoint(
    name = ReadUnread,
    get = "/api/unread_notifications",
    scope = Read,
    answers = "`{unread}`, at most 100",
)]
pub async fn unread_notifications(app: AppState, player: Player) -> Result<Unread, ErrorResponse> {
    let unread = app.notifications.unread(&player).await?;
    Ok(Unread { unread })
}

/// Marks a notification as read, or that of a match, `match_id`, be it one that was to come; without either all. One that is read, or is
/// none of the caller's, is left as it is. `next` is the path to which a form is redirected.
#[endpoint(
    name = ReadNotifications,
    post = "/api/read_notifications",
    scope = Play,
    answers = "`null`",
)]
pub async fn read_notifications(
    app: AppState,
    player: Player,
    id: Option<NotificationId>,
    match_id: Option<MatchId>,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    if let Some(match_id) = match_id {
        app.notifications
            .mark_match_read(player.id, match_id)
            .await?;
    }
    if id.is_some() || match_id.is_none() {
        app.notifications.mark_read(&player, id).await?;
    }
    // The page of a match stays.
    if match_id.is_none() || next.is_some() {
        crate::context::redirect_form(next, "/notifications");
    }
    Ok(())
}

/// The switches of all kinds of notifications.
#[endpoint(
    name = ReadNotificationSwitches,
    get = "/api/notification_settings",
    answers = "`[{kind, site, push, mail}, …]`",
    page,
)]
pub async fn notification_settings(
    app: AppState,
    player: SessionPlayer,
) -> Result<Vec<NotificationSwitches>, ErrorResponse> {
    app.notifications.switches(&player).await
}

/// Sets the given switches of a kind, each `on` or `off`. `switches` names those that are off unless they are given, as a form leaves
/// out a switch that is off. `next` is the path to which a form is redirected.
#[endpoint(
    name = ChangeNotifications,
    post = "/api/change_notifications",
    answers = "`null`; switches that are not named stay",
)]
pub async fn change_notifications(
    app: AppState,
    player: SessionPlayer,
    kind: String,
    site: Option<String>,
    push: Option<String>,
    mail: Option<String>,
    switches: Option<String>,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::{Code, NotificationChannel, NotificationKind};

    let kind = NotificationKind::parse(&kind).ok_or(Code::BadRequest)?;
    let given = [
        (NotificationChannel::Site, site),
        (NotificationChannel::Push, push),
        (NotificationChannel::Mail, mail),
    ];
    let switches = switches.unwrap_or_default();
    for (channel, word) in given {
        let mut named = switches.split(' ');
        let off = || {
            named
                .any(|name| name == channel.as_str())
                .then(|| "off".to_owned())
        };
        let is_on = match word.or_else(off).as_deref() {
            None => continue,
            Some("on") => true,
            Some("off") => false,
            Some(_) => return Err(Code::BadRequest.into()),
        };
        let notifications = &app.notifications;
        notifications
            .set_switch(&player, kind, channel, is_on)
            .await?;
    }
    crate::context::redirect_form(next, "/account#notifications");
    Ok(())
}

/// The public key with which a browser subscribes to pushes, and whether the subscription with this `endpoint` is one of the caller's
/// session.
#[endpoint(
    name = ReadPushKey,
    get = "/api/push_key",
    answers = "`{key, subscribed}`; `key` is in base64url, and `null` where the operator has set no contact",
    page,
)]
pub async fn push_key(
    app: AppState,
    player: SessionPlayer,
    endpoint: Option<String>,
) -> Result<PushKey, ErrorResponse> {
    let pushes = &app.notifications.pushes;
    let subscribed = match endpoint {
        Some(endpoint) => {
            let session = player.token.digest();
            pushes.is_subscribed(&session, &endpoint).await?
        }
        None => false,
    };
    Ok(PushKey {
        key: pushes.public_key().map(str::to_owned),
        subscribed,
    })
}

/// Subscribes this browser to pushes, for as long as this session lasts. `p256dh` and `auth` are its keys in base64url, `language` is
/// the tag of the language of the page. `old_endpoint` is the one that the browser had before and has given up by itself: then this
/// takes its place; `unknown` if the browser does not tell, so that this takes the place of the last one of this session. 404 where there
/// are no pushes or the caller has no such subscription, 400 for an endpoint of no push service.
#[endpoint(
    name = SubscribePush,
    post = "/api/subscribe_push",
    answers = "`null`; of six subscriptions of an account the oldest ends",
    errors(NotFound),
)]
pub async fn subscribe_push(
    app: AppState,
    player: SessionPlayer,
    endpoint: String,
    p256dh: String,
    auth: String,
    language: Option<String>,
    old_endpoint: Option<String>,
) -> Result<(), ErrorResponse> {
    use crate::language::Language;

    let language = language.as_deref().and_then(Language::of_tag);
    let language = language.unwrap_or_default().code().to_owned();
    let pushes = &app.notifications.pushes;
    let subscription = pushes.read_subscription(&endpoint, &p256dh, &auth, language)?;
    let session = player.token.digest();
    match old_endpoint {
        Some(old) => {
            let old = Some(&*old).filter(|old| *old != "unknown");
            pushes.renew(&player, &session, old, &subscription).await
        }
        None => pushes.subscribe(&player, &session, &subscription).await,
    }
}

/// Ends the subscription of one of the caller's browsers. `next` is the path to which a form is redirected.
#[endpoint(
    name = UnsubscribePush,
    post = "/api/unsubscribe_push",
    answers = "`null`, also where there is no such subscription",
)]
pub async fn unsubscribe_push(
    app: AppState,
    player: SessionPlayer,
    endpoint: String,
) -> Result<(), ErrorResponse> {
    app.notifications
        .pushes
        .unsubscribe(&player, &endpoint)
        .await
}
