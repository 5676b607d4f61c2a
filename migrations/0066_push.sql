-- Web Push: the key of this server, the subscriptions of browsers, and the pushes that are to be sent.

-- The private key by which push services know the server. One row: the first instance that starts makes it.
create table push_key (
    id      integer primary key default 1 check (id = 1),
    private bytea not null
);

-- A subscription belongs to the session that has made it, and ends with it.
create table push_subscriptions (
    id         bigint generated always as identity primary key,
    session_id bigint not null references sessions (id) on delete cascade,
    player_id  bigint not null references players (id) on delete cascade,
    endpoint   text not null unique,
    -- The public key of the browser, and its secret.
    p256dh     bytea not null,
    auth       bytea not null,
    -- The language of the page that has subscribed.
    language   text not null,
    created_at timestamptz not null default now()
);

create index push_subscriptions_of_session on push_subscriptions (session_id);
create index push_subscriptions_of_player on push_subscriptions (player_id, id desc);

-- A push stays until the push service has taken it. Whoever sends it moves `due_at` ahead first, so that nobody else does so
-- meanwhile, and it is sent again if the sender does not live to say that it was.
create table pushes (
    id              bigint generated always as identity primary key,
    subscription_id bigint not null references push_subscriptions (id) on delete cascade,
    player_id       bigint not null,
    -- As in `notifications`.
    subject         text not null,
    kind            text not null,
    match_id        bigint,
    other_id        bigint,
    detail          text,
    cause           bigint not null,
    at              timestamptz not null,
    due_at          timestamptz not null,
    attempts        integer not null default 0,
    unique (subscription_id, subject)
);

create index pushes_by_due on pushes (due_at);
create index pushes_of_player on pushes (player_id, subject);
