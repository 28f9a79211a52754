-- Exports of what a person or an account has: archives in the store of files, which belong to no file there.
alter table fs_contents add column kept_until timestamptz;

-- The guard of the garbage collection covers them as well.
create or replace function refuse_fs_doom() returns trigger language plpgsql as $$
  begin
    if new.kept_until > new.doomed_at
      or exists (select from fs_versions where content_id = new.id)
      or exists (select from fs_uploads where content_id = new.id and finished_item_id is null) then
      raise exception 'content % is in use', new.id using errcode = 'foreign_key_violation';
    end if;
    return new;
  end $$;

create table data_exports (
  id uuid primary key,
  kind text not null check (kind in ('person', 'account')),
  tenant_id integer not null references tenants,
  -- who requested it, the only one who can download it
  user_id bigint not null references users on delete cascade,
  -- the account; null for a person
  wallet_id uuid references wallets on delete cascade,
  state text not null check (state in ('waiting', 'running', 'ready', 'failed', 'expired')),
  created_at timestamptz not null,
  attempts integer not null default 0,
  -- the archive of the current attempt: an earlier attempt that is still running finds another one here
  content_id uuid references fs_contents on delete set null,
  objects bigint not null default 0,
  total bigint,
  -- the state of the database that the archive shows
  taken_at timestamptz,
  size bigint,
  ended_at timestamptz,
  expires_at timestamptz,
  -- the current download URL, which ends with its session
  download_hash bytea unique,
  download_session uuid,
  download_begun_at timestamptz,
  check ((kind = 'account') = (wallet_id is not null)),
  check (state <> 'ready' or (size is not null and expires_at is not null))
);

create index data_exports_user on data_exports (user_id, created_at desc);
create index data_exports_wallet on data_exports (wallet_id) where wallet_id is not null;
create index data_exports_content on data_exports (content_id) where content_id is not null;
create index data_exports_expiry on data_exports (expires_at) where state = 'ready';
-- one at a time
create unique index data_exports_open_person on data_exports (user_id)
  where kind = 'person' and state in ('waiting', 'running');
create unique index data_exports_open_account on data_exports (wallet_id)
  where kind = 'account' and state in ('waiting', 'running');
