-- Who has a name that looks like another one: also found among the older names that clash, which the unique index leaves out.
create index players_by_look on players (name_look) where name_look is not null;
