-- Names that read alike: a skeleton has no `w` (which is two `v`), no `_` and no two dashes in a row any more. Those of
-- before are computed anew by the server when it starts, and so are those that a server of the release before still writes.

create index players_with_old_look on players (id)
    where name_key is not null and (name_look is null or name_look ~ '[w_]|--');

drop index players_without_look;
