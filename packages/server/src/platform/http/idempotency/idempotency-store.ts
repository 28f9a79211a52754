import type { CompiledQuery } from 'kysely'
import type { Db } from '../../db/database.ts'

/** One try to do what a request asks for; only the one that holds the key can commit. */
export interface Run {
  readonly name: Buffer
  readonly holder: string
}

/** A request that wants to run. */
export interface Claim extends Run {
  readonly fingerprint: Buffer
  /** Of the ids that the request makes; a run that follows a dead one keeps the seed of that. */
  readonly seed: string
  readonly now: Date
  readonly leasedUntil: Date
  /** Whether it goes on where a run that died had committed a part. */
  readonly isResumable: boolean
}

/** Takes a key that is new, or whose holder died. Gives the seed; undefined when somebody else has it. */
export async function takeKey(db: Db, claim: Claim): Promise<string | undefined> {
  const { name, fingerprint, holder, seed, now, isResumable } = claim
  const leasedUntil = claim.leasedUntil
  const row = await db
    .insertInto('idempotencyKeys')
    .values({ name, fingerprint, holder, seed, leasedUntil, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ fingerprint, holder, leasedUntil })
        .where('idempotencyKeys.answer', 'is', null)
        .where('idempotencyKeys.leasedUntil', '<', now)
        .where((known) =>
          known.or([
            known('idempotencyKeys.acted', '=', false),
            known.and([known.val(isResumable), known('idempotencyKeys.fingerprint', '=', fingerprint)]),
          ]),
        ),
    )
    .returning('seed')
    .executeTakeFirst()
  return row?.seed
}

export function readKey(db: Db, name: Buffer) {
  return db
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'answer', 'leasedUntil', 'acted'])
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Says that runs are alive. */
export async function renewLeases(db: Db, runs: readonly Run[], leasedUntil: Date): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ leasedUntil })
    .where(
      'name',
      'in',
      runs.map((run) => run.name),
    )
    .where(
      'holder',
      'in',
      runs.map((run) => run.holder),
    )
    .where('answer', 'is', null)
    .execute()
}

/** Reads whether a run has its key, which nobody takes until the end of the transaction. No row: it has lost it. */
export function checkHolder(db: Db, { name, holder }: Run): CompiledQuery {
  return db
    .selectFrom('idempotencyKeys')
    .select('name')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('answer', 'is', null)
    .forShare()
    .compile()
}

/** Notes that a part of a run is committed. No row: the run has lost its key. */
export function noteActed(db: Db, run: Run): CompiledQuery {
  return ownKey(db, run).set({ acted: true }).returning('name').compile()
}

/** Keeps the answer. No row: the run has lost its key. */
export function keepAnswer(db: Db, run: Run, answer: Buffer): CompiledQuery {
  return ownKey(db, run).set({ answer }).returning('name').compile()
}

/** Frees the key for another request, with other ids. No row: the run has lost its key. */
export function forgetKey(db: Db, { name, holder }: Run): CompiledQuery {
  return db
    .deleteFrom('idempotencyKeys')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('answer', 'is', null)
    .returning('name')
    .compile()
}

/** Frees the key for the same request; what was committed stays known. */
export async function freeKey(db: Db, run: Run, now: Date): Promise<void> {
  const { name, holder } = run
  const { numDeletedRows } = await db
    .deleteFrom('idempotencyKeys')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('answer', 'is', null)
    .where('acted', '=', false)
    .executeTakeFirst()
  if (numDeletedRows === 0n)
    await ownKey(db, run)
      .set({ leasedUntil: new Date(now.getTime() - 1) })
      .execute()
}

/** Removes keys of requests that began before a moment and that nobody works on. */
export async function purgeKeys(db: Db, before: Date, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', before)
    .where('leasedUntil', '<', now)
    .execute()
}

function ownKey(db: Db, { name, holder }: Run) {
  return db
    .updateTable('idempotencyKeys')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('answer', 'is', null)
}
