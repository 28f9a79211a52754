import { domainToUnicode } from 'node:url'
import { type Kysely, sql } from 'kysely'

/** Proof of ownership, looks at the DNS in the background, settings of domains; addresses by domain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const { rows } = await sql<{ id: number; namespace: string }>`select id, namespace from domains
    where namespace like 'xn--%' or namespace like '%.xn--%'`.execute(db)
  for (const { id, namespace } of rows) {
    await sql`update domains set display_name = ${domainToUnicode(namespace)} where id = ${id}`.execute(db)
  }
}

const statements = [
  `alter table domains
    add column display_name text,
    add column token text not null default replace(gen_random_uuid()::text, '-', ''),
    add column spf_whitelist text[] not null default '{}',
    add column dns_found jsonb not null default '{}',
    add column dns_checked_at timestamptz,
    add column next_check_at timestamptz,
    add column watched_since timestamptz,
    add column missing_since timestamptz,
    add column told_missing_at timestamptz`,
  `update domains set display_name = namespace`,
  `alter table domains
    alter column display_name set not null,
    alter column token drop default`,

  // what a look at the DNS writes down is part of no account's view and must not make one be read again
  `drop trigger domains_revision on domains`,
  `create trigger domains_revision before update of revision, namespace, status, type,
    wallet_id, deleted_at on domains
    for each row execute function raise_revision()`,

  // The token proves that an account owns a domain. Whoever moves a domain to another wallet, by whatever
  // means, leaves the proof behind: 16, 32 and 2 are CONFIRMED, VERIFIED and ACTIVE, 1 is NEW and PUBLIC.
  `create function forget_proof() returns trigger language plpgsql as $$
  begin
    new.token := replace(gen_random_uuid()::text, '-', '');
    new.status := (new.status & ~(16 | 32 | 2)) | 1;
    new.missing_since := null;
    new.told_missing_at := null;
    return new;
  end $$`,
  `create trigger domains_change_hands before update of wallet_id on domains for each row
    when (old.wallet_id is distinct from new.wallet_id and new.type & 1 = 0)
    execute function forget_proof()`,

  `create index domains_due on domains (next_check_at) where next_check_at is not null and deleted_at is null`,
  `create index domains_deleted on domains (wallet_id, deleted_at) where deleted_at is not null`,
  // domains that are there already are looked at one after the other, not all in the same minute
  `update domains set watched_since = created_at, next_check_at = now() + random() * interval '1 day'
    where type & 1 = 0 and deleted_at is null`,

  `alter table addresses add column domain text generated always as (split_part(address, '@', 2)) stored`,
  `create index addresses_domain on addresses (domain, kind, object_id)`,
  `create index users_gone on users (wallet_id, id) where deleted_at is not null`,
  // Addresses of deleted objects stay taken for a while, but do not keep a domain from being deleted. Who adds a
  // kind of object with a deletion of its own replaces this.
  `create function is_live_address(kind text, object_id bigint) returns boolean language sql stable as $$
    select kind not in ('user', 'alias')
      or exists (select from users u where u.id = object_id and u.deleted_at is null)
  $$`,
]
