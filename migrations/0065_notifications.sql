-- Notifications: what players are told of that happened while they were away.
--
-- Whatever a player may be told of inserts a cause, in its own transaction. A task of any instance takes the causes away and makes
-- notifications of them in one other transaction. So a crash between the two loses nothing, and nothing is told twice.

-- Only inserted and deleted, and without references, so that no statement that inserts one waits for a lock.
create table notification_causes (
    id        bigint generated always as identity primary key,
    player_id bigint not null,
    -- What several causes are about of which a player gets one notification: `match:7`. Without one, the cause is alone.
    subject   text,
    -- The kind of the notification; null where nothing is told, and what was to be done about the subject is done.
    kind      text,
    match_id  bigint,
    -- Whom it is about: the opponent, the challenger.
    other_id  bigint,
    -- The act of an operator.
    detail    text,
    at        timestamptz not null default now()
);

create table notifications (
    id         bigint generated always as identity primary key,
    player_id  bigint not null references players (id) on delete cascade,
    subject    text not null,
    kind       text not null,
    match_id   bigint references matches (id) on delete cascade,
    other_id   bigint references players (id) on delete cascade,
    detail     text,
    -- The cause, which is later than all that it has replaced.
    cause      bigint not null,
    created_at timestamptz not null,
    read_at    timestamptz,
    unique (player_id, subject)
);

create index notifications_of_player on notifications (player_id, created_at desc, id desc);
create index notifications_unread on notifications (player_id) where read_at is null;
create index notifications_by_age on notifications (created_at);
create index notifications_by_other on notifications (other_id) where other_id is not null;

-- The switches that a player has changed: whether a kind of notification comes by a channel.
create table notification_switches (
    player_id bigint not null references players (id) on delete cascade,
    kind      text not null,
    channel   text not null,
    is_on     boolean not null,
    primary key (player_id, kind, channel)
);
