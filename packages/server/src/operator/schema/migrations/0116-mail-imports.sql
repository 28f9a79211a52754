-- Users copy old mail from other servers into their mailbox.

-- An import with its server. A user has at most one that hasn't ended.
create table mail_imports (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  host text not null,
  port integer not null,
  security text not null check (security in ('tls', 'starttls')),
  login text not null,
  -- sealed; null once the import has ended
  password bytea,
  state text not null check (state in ('waiting', 'running', 'done', 'cancelled', 'failed')),
  problem text,
  -- what the server said about the problem
  answer text,
  -- attempts in a row that copied nothing
  failures integer not null default 0,
  -- bytes per second of the latest run of the job
  rate bigint not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- the password isn't kept longer
  expires_at timestamptz not null,
  check (ended_at is null or password is null)
);

create index mail_imports_user on mail_imports (user_id, created_at desc);
create unique index mail_imports_active on mail_imports (user_id) where ended_at is null;

-- How far each folder is. Messages up to last_uid are settled; everything appended for later ones has a UID of the
-- mailbox above target_uid.
create table mail_import_folders (
  import_id uuid not null references mail_imports on delete cascade,
  n integer not null,
  -- the name as the old server spells it, one character per byte
  name text not null,
  path text not null,
  target text not null,
  validity bigint,
  last_uid bigint not null default 0,
  target_validity bigint,
  target_uid bigint not null default 0,
  -- messages of the mailbox below this UID were there before
  known_below bigint not null default 0,
  messages integer not null default 0,
  copied integer not null default 0,
  copied_bytes bigint not null default 0,
  existing integer not null default 0,
  skipped integer not null default 0,
  is_done boolean not null default false,
  primary key (import_id, n)
);

-- Messages that weren't copied, and why.
create table mail_import_skips (
  import_id uuid not null,
  n integer not null,
  -- 0: the whole folder
  uid bigint not null,
  bytes bigint,
  reason text not null,
  -- what the server said
  answer text,
  primary key (import_id, n, uid),
  foreign key (import_id, n) references mail_import_folders on delete cascade
);
