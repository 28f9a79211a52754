import { type Kysely, sql } from 'kysely'

/** Requests with an Idempotency-Key: which run of them may commit, until when it is believed to live, and what it did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table idempotency_keys
        -- ids that every run of the request comes to are made from it
        add column seed uuid not null default gen_random_uuid(),
        -- the run that may commit
        add column holder uuid,
        add column leased_until timestamptz not null default now() + interval '1 minute',
        -- a part of the request is committed, its answer is not
        add column acted boolean not null default false`,
    )
    .execute(db)
}
