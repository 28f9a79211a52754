-- Storage that the groupware reports for each user.
create table mailbox_usage (
  user_id bigint primary key references users on delete cascade,
  -- KiB of mail, calendars and contacts
  used bigint not null,
  measured_at timestamptz not null,
  -- KiB; null if unlimited
  quota bigint
);

-- the dashboard looks for the few mailboxes that are full or nearly full
create index mailbox_usage_nearly_full on mailbox_usage (user_id) where used * 10 >= quota * 9;
