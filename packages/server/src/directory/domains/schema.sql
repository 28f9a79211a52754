-- Domains: proof of ownership, records found in the DNS, and settings.

-- A domain in which users and other objects can have addresses. Without a wallet it belongs to the tenant
-- itself.
create table domains (
  id bigint primary key check (id between 1 and 4294967295),
  tenant_id integer not null references tenants,
  namespace text not null unique check (namespace = lower(namespace)),
  status integer not null,
  type integer not null,
  wallet_id uuid references wallets,
  revision bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- name in its original script
  display_name text not null,
  -- published in the DNS by the owner to prove ownership
  token text not null,
  -- host names, each with a leading dot, that may send for the domain regardless of SPF
  spf_whitelist text[] not null default '{}',
  -- values of the last DNS check by kind of record; null: no answer
  dns_found jsonb not null default '{}',
  dns_checked_at timestamptz,
  -- when the next background check is due; null: none
  next_check_at timestamptz,
  -- since when the proof has been looked for, and since when a confirmed domain has lacked it
  watched_since timestamptz,
  missing_since timestamptz,
  told_missing_at timestamptz,
  -- a closed public domain keeps its users but accepts no new ones
  signup_closed_at timestamptz,
  search_text text not null generated always as (fold_text(display_name)) stored
);

create index domains_wallet on domains (wallet_id, namespace) where deleted_at is null;
create index domains_public on domains (tenant_id, namespace) where type & 1 = 1 and deleted_at is null;
create index domains_due on domains (next_check_at) where next_check_at is not null and deleted_at is null;
create index domains_deleted on domains (wallet_id, deleted_at) where deleted_at is not null;
-- for staff search, like users_trigrams
create index domains_trigrams on domains using gin (trigrams(search_text)) with (gin_pending_list_limit = 256);

-- Results of DNS checks are not part of any account's view, so they must not bump its revision.
create trigger domains_revision before update of revision, namespace, status, type,
  wallet_id, deleted_at on domains
  for each row execute function raise_revision();

-- The token proves that an account owns a domain. A domain that moves to another wallet loses its proof: 16,
-- 32 and 2 are CONFIRMED, VERIFIED and ACTIVE, 1 is NEW (status) and PUBLIC (type).
create function forget_proof() returns trigger language plpgsql as $$
  begin
    new.token := replace(gen_random_uuid()::text, '-', '');
    new.status := (new.status & ~(16 | 32 | 2)) | 1;
    new.missing_since := null;
    new.told_missing_at := null;
    return new;
  end $$;

create trigger domains_change_hands before update of wallet_id on domains for each row
  when (old.wallet_id is distinct from new.wallet_id and new.type & 1 = 0)
  execute function forget_proof();
