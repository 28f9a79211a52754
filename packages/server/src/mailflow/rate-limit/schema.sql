-- What users sent, for rate limits and the detection of taken-over accounts, and mail that is held.

-- What an account sent. Counters are JSON lists of {start, messages, recipients}: start in seconds since 1970, one
-- entry per minute of the last hour and per hour of the last day (rate-limit/buckets.ts). version increases with each
-- decision that counts: a decision is only stored if none was stored since its facts were read.
create table account_sending (
  wallet_id uuid primary key references wallets on delete cascade,
  version bigint not null,
  minutes jsonb not null,
  hours jsonb not null
);

-- What a user sent. Guarded by the version of the account.
create table user_sending (
  user_id bigint primary key references users on delete cascade,
  minutes jsonb not null default '[]',
  hours jsonb not null default '[]',
  -- recipients of the last hour that the user never wrote to, and those that other servers rejected
  strangers jsonb not null default '[]',
  rejections jsonb not null default '[]',
  -- when a warning was sent last, by its limit: JSON object, seconds since 1970
  warned jsonb not null default '{}',
  -- until when the account's owner has confirmed unusual sending
  confirmed_until timestamptz
);

-- An attempt to send, so that a retry of the same message isn't counted twice. Removed after five days.
create table send_attempts (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  queue_id text,
  message_id text,
  recipients_hash text not null,
  recipients integer not null,
  was_accepted boolean not null,
  attempted_at timestamptz not null
);

create index send_attempts_hash on send_attempts (user_id, recipients_hash);
create index send_attempts_queue on send_attempts (user_id, queue_id) where queue_id is not null;
create index send_attempts_message on send_attempts (user_id, message_id) where message_id is not null;
create index send_attempts_time on send_attempts (attempted_at);

-- A day on which a user sent mail, in UTC: what is normal for the user. Removed after 30 days.
create table sending_days (
  user_id bigint not null references users on delete cascade,
  day date not null,
  busiest_hour_recipients integer not null,
  busiest_minute_messages integer not null,
  primary key (user_id, day)
);

create index sending_days_day on sending_days (day);

-- A network that a user sent from.
create table sending_places (
  user_id bigint not null references users on delete cascade,
  -- IPv4 /24 or IPv6 /64
  network text not null,
  -- ISO 3166-1, if known
  country text,
  last_on date not null,
  primary key (user_id, network)
);

create index sending_places_last on sending_places (last_on);

-- A recipient that a user wrote to: the first eight bytes of the SHA-256 of the address.
create table sent_recipients (
  user_id bigint not null references users on delete cascade,
  recipient bytea not null,
  last_on date not null,
  primary key (user_id, recipient)
);

create index sent_recipients_last on sent_recipients (last_on);

-- A user or a domain whose users send without limits.
create table rate_exemptions (
  id uuid primary key,
  user_id bigint unique references users on delete cascade,
  domain_id bigint unique references domains on delete cascade,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, domain_id) = 1)
);

-- A message that the mail server holds until someone decides. The mail gateway carries the decision out by the queue
-- id. Held messages without a user have a sender who is nobody here.
create table held_messages (
  id uuid primary key,
  user_id bigint references users on delete cascade,
  wallet_id uuid references wallets on delete cascade,
  -- null: the mail server didn't say
  queue_id text,
  message_id text,
  sender text not null,
  -- the first 100; recipient_count is the number of all
  recipients text[] not null,
  recipient_count integer not null,
  recipients_hash text not null,
  -- null: not known
  subject text,
  -- a name from reasons.ts
  reason text not null,
  client_address text,
  held_at timestamptz not null,
  decision text check (decision in ('release', 'discard')),
  decided_at timestamptz,
  -- null: nobody, such as the command line or the end of the time for a decision
  decided_by bigint references users on delete set null,
  -- when the mail server carried the decision out
  done_at timestamptz,
  check ((decision is null) = (decided_at is null)),
  check (done_at is null or decision is not null)
);

create index held_messages_wallet on held_messages (wallet_id, held_at) where decision is null;
create index held_messages_user on held_messages (user_id, recipients_hash);
create index held_messages_queue on held_messages (queue_id) where queue_id is not null;
create index held_messages_undecided on held_messages (held_at) where decision is null;
create index held_messages_open on held_messages (decided_at) where decision is not null and done_at is null;
create index held_messages_decided on held_messages (decided_at) where decision is not null;
create index held_messages_decided_by on held_messages (decided_by) where decided_by is not null;
