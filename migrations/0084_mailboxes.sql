-- The mailbox that a mail address leads to: `ann+chess@example.org` is one of `ann@example.org`, and Gmail takes no dots into account.
-- So nobody fills the mailbox of somebody else under ever new names of it.
create function mailbox(address text) returns text
    language sql immutable
    begin atomic
        select case when split_part(plain, '@', 2) in ('gmail.com', 'googlemail.com')
            then replace(split_part(plain, '@', 1), '.', '') || '@gmail.com' else plain end
        from (select regexp_replace(lower(address), '[+][^@]*@', '@') as plain) as without_tag;
    end;

create index mails_to_mailbox on mails (mailbox(address), created_at);
drop index mails_to_address;
