-- Rules for incoming mail and automatic replies, which the portal uploads to the mail server as Sieve scripts.
-- The portal is the source: the mail server gets a script made from this.
create table mail_filters (
  user_id bigint primary key references users on delete cascade,
  rules jsonb not null,
  out_of_office jsonb not null,
  -- changes with each save, so that an upload that takes longer doesn't report an older version
  version integer not null default 1,
  -- the mail server hasn't got the current version
  is_pending boolean not null,
  -- a script that the user activated with a mail program is replaced once
  replaces_other boolean not null,
  -- hash of the uploaded script; null: none yet. A script changes with the addresses of people, too
  script_hash text,
  uploaded_at timestamptz,
  other_script text,
  -- what the mail server said when it refused the script
  problem text,
  updated_at timestamptz not null
);

create index mail_filters_pending on mail_filters (user_id) where is_pending;
