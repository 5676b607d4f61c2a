-- The daily digest: one mail of the unread notifications whose kinds are mailed.

-- When the next one may be written. From then on once a day, at the time of day at which the address was confirmed.
alter table mail_addresses add column digest_at timestamptz not null default now() + interval '1 day';
create index mail_addresses_digest on mail_addresses (digest_at) where address is not null;

-- When a digest has told of the notification; null again when a newer cause takes its place.
alter table notifications add column digested_at timestamptz;
