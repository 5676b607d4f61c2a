-- Mail addresses that nobody has confirmed are deleted with their link.
create index mail_addresses_unconfirmed on mail_addresses (pending_at) where address is null;
create index mail_addresses_pending on mail_addresses (pending_at) where pending_at is not null;
