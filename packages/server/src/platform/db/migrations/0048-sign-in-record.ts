import { type Kysely, sql } from 'kysely'

/** Events that happen often share an entry, and sign-ins that nobody confirmed leave a trace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // how often an event happened between `created_at` and `last_at`; entries that stand for one have no `last_at`
  `alter table event_log
    add column times integer not null default 1 check (times > 0),
    add column last_at timestamptz`,

  `alter table sign_in_prompts drop constraint sign_in_prompts_status_check`,
  `alter table sign_in_prompts add constraint sign_in_prompts_status_check
    check (status in ('WAITING', 'ACCEPTED', 'DENIED', 'USED', 'DROPPED', 'EXPIRED'))`,
  // what is looked for every few minutes
  `create index sign_in_prompts_waiting on sign_in_prompts (expires_at) where status = 'WAITING'`,
]
