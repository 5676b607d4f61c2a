-- Notes of a player beside the board of a match, which nobody else reads.

create table match_notes (
    match_id  bigint not null references matches (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    text      text not null,
    primary key (match_id, player_id)
);

create index match_notes_of_player on match_notes (player_id);
