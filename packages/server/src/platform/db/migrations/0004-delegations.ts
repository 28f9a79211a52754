import { type Kysely, sql } from 'kysely'

/** Users who act for other users; look-up of the accounts whose passwords grow too old. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table delegations (
    id uuid primary key,
    tenant_id integer not null references tenants,
    delegator_id bigint not null references users on delete cascade,
    delegatee_id bigint not null references users on delete cascade,
    options jsonb not null check (jsonb_typeof(options) = 'object'),
    status integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    check (delegator_id <> delegatee_id),
    unique (delegator_id, delegatee_id)
  )`,
  `create index delegations_delegatee on delegations (delegatee_id, delegator_id)`,

  `create index user_settings_password_age on user_settings (user_id) where key = 'max_password_age'`,
]
