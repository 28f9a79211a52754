import { type Kysely, sql } from 'kysely'

/** Ways to sign up beside a proved address: tokens and invitations; vouchers that end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table signup_tokens (
    token text primary key check (token = upper(token) and length(token) between 1 and 191),
    plan_id uuid not null references plans,
    -- accounts that were made with it
    counter integer not null default 0 check (counter >= 0),
    usage_limit integer check (usage_limit > 0),
    expires_at timestamptz,
    created_at timestamptz not null,
    check (counter <= usage_limit)
  )`,
  `create index signup_tokens_plan on signup_tokens (plan_id)`,

  // status: 1 new, 2 sent, 4 failed, 8 completed; one of them at a time
  `create table signup_invitations (
    id uuid primary key,
    tenant_id integer not null references tenants,
    email text not null check (email = lower(email)),
    status smallint not null check (status in (1, 2, 4, 8)),
    user_id bigint references users on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    expires_at timestamptz not null,
    check (user_id is null or status = 8)
  )`,
  `create index signup_invitations_tenant on signup_invitations (tenant_id, created_at desc, id desc)`,
  `create index signup_invitations_email on signup_invitations (tenant_id, email)`,
  `create index signup_invitations_user on signup_invitations (user_id) where user_id is not null`,

  `alter table discounts
    add expires_at timestamptz,
    add usage_limit integer check (usage_limit > 0),
    -- accounts that were made with its code
    add usage_count integer not null default 0 check (usage_count >= 0),
    add check (usage_count <= usage_limit)`,

  `alter table signup_codes add token text, add check (email is null or token is null)`,
]
