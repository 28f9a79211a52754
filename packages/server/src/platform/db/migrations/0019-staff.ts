import { type Kysely, sql } from 'kysely'

/** What staff search, who acted in whose name, and which mails went out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Staff search the whole installation by beginnings, so each of these answers from a few neighbouring rows.
  // One for each kind and each with what ends ties: a search that finds a third of all reads as far as its page.
  `create index addresses_of_users on addresses (address text_pattern_ops) include (object_id) where kind = 'user'`,
  `create index addresses_of_aliases on addresses (address text_pattern_ops) include (object_id)
    where kind = 'alias'`,
  `create index users_sort_name on users (lower(sort_name) text_pattern_ops, id) where forgotten_at is null`,
  `create index user_settings_first_name on user_settings (lower(value) text_pattern_ops, user_id)
    where key = 'first_name'`,
  `create index user_settings_external_email on user_settings (lower(value)) where key = 'external_email'`,
  `create index user_settings_phone on user_settings (regexp_replace(value, '[^0-9]', '', 'g') text_pattern_ops, user_id)
    where key = 'phone'`,
  // the customers of one reseller are few beside all others, so whatever part of a name is looked for among them
  `create index users_reseller on users (tenant_id) include (id, email, role, sort_name, search_text)
    where tenant_id <> 0 and forgotten_at is null`,

  // staff who act in somebody's name
  `create table impersonations (
    id uuid primary key,
    staff_id bigint not null references users on delete cascade,
    user_id bigint not null references users on delete cascade,
    reason text not null,
    code_hash bytea unique,
    code_expires_at timestamptz not null,
    ends_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create index impersonations_user on impersonations (user_id, created_at desc)`,
  `create index impersonations_end on impersonations (ends_at)`,
  `alter table sessions
    add column ends_at timestamptz,
    add column impersonation_id uuid references impersonations on delete cascade`,
  `alter table access_tokens add column impersonation_id uuid`,
  `alter table event_log add column staff_id bigint, add column staff_email text`,

  // what was handed to the mail server; bodies are not kept
  `create table mail_log (
    id uuid primary key,
    name text not null,
    subject text not null,
    recipients text[] not null,
    outcome text not null check (outcome in ('sent', 'failed')),
    error text,
    user_id bigint,
    created_at timestamptz not null
  )`,
  `create index mail_log_time on mail_log (created_at desc, id desc)`,
  `create index mail_log_user on mail_log (user_id, created_at desc) where user_id is not null`,
]
