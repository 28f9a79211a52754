-- Storage that the groupware reports for each user.
create table mailbox_usage (
  user_id bigint primary key references users on delete cascade,
  -- KiB of mail, calendars and contacts
  used bigint not null,
  measured_at timestamptz not null
);
