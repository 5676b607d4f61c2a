-- Guests who sit down at tables by correspondence and never move keep them busy for days: their games are counted by the address from
-- which they sat down. It is kept as long as the match runs.
alter table open_tables add column accepted_address text;

create index open_tables_accepted on open_tables (accepted_address) where accepted_address is not null;
