import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { type ObjectRef, type ProvisionedKind, refText } from './object-ref.ts'

/** Progress of background work. */
export type WorkState = Schema['provisioning']['state']

/**
 * The step that syncs to the back end; a kind of object may have other steps, which are processed elsewhere.
 */
const backendStep = 'backend'

/** The record's state when a job began. */
export interface BegunWork {
  /** Has increased by the end if the object changed meanwhile; that change has its own job. */
  readonly revision: number
  /** When the back end last accepted a sync; null if the object doesn't exist there. */
  readonly toldAt: Date | null
}

/** Records that objects changed and their jobs are waiting. */
export async function noteChange(db: Db, kind: ProvisionedKind, ids: readonly number[]): Promise<void> {
  await forgetFailures(db, kind, ids)
  await sql`insert into provisioning (kind, object_id, step, state)
    select ${kind}, id, ${backendStep}, 'waiting' from unnest(${ids}::bigint[]) as given(id) order by id
    on conflict (kind, object_id, step) do update set
      state = 'waiting', revision = provisioning.revision + 1, attempts = 0, error = null, waits_for = null`.execute(
    db,
  )
}

/** Tables with a version column that invalidates readers' cached views of an object. */
const remembered: Partial<Record<ProvisionedKind, string>> = { user: 'users', domain: 'domains' }

/** Invalidates cached failures of objects. Call it before their records are changed. */
async function forgetFailures(db: Db, kind: ProvisionedKind, ids: readonly number[]): Promise<void> {
  const table = remembered[kind]
  if (table === undefined) return
  await sql`update ${sql.table(table)} as o set revision = o.revision from provisioning p
    where p.kind = ${kind} and p.object_id = o.id and p.step = ${backendStep} and p.state = 'failed'
      and o.id = any(${ids}::bigint[])`.execute(db)
}

/** Invalidates cached views of an object's progress. */
async function forgetViews(db: Db, { kind, id }: ObjectRef): Promise<void> {
  const table = remembered[kind]
  if (table === undefined) return
  await sql`update ${sql.table(table)} set revision = revision where id = ${id}`.execute(db)
}

/** Records that an object's job is running. */
export async function noteBegun(db: Db, clock: Clock, object: ObjectRef): Promise<BegunWork> {
  const now = clock.now()
  const row = await db
    .insertInto('provisioning')
    .values({
      kind: object.kind,
      objectId: object.id,
      step: backendStep,
      state: 'running',
      error: null,
      waitsFor: null,
      toldAt: null,
      triedAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'objectId', 'step'])
        .doUpdateSet({ state: 'running', waitsFor: null, triedAt: now }),
    )
    .returning(['revision', 'toldAt'])
    .executeTakeFirstOrThrow()
  return { revision: row.revision, toldAt: row.toldAt }
}

/** Records a failed attempt. Returns whether the failed job is the newest of the object. */
export async function noteFailed(
  db: Db,
  object: ObjectRef,
  begun: BegunWork,
  error: string,
): Promise<boolean> {
  const { rows } = await sql<{ isNewest: boolean }>`update provisioning set
      state = case when revision = ${begun.revision} then 'failed' else 'waiting' end,
      attempts = attempts + (revision = ${begun.revision})::int, error = left(${error}, 2000)
    where kind = ${object.kind} and object_id = ${object.id} and step = ${backendStep}
    returning revision = ${begun.revision} as is_newest`.execute(db)
  await forgetViews(db, object)
  return rows[0]?.isNewest ?? true
}

/** Records that the sync waits for another object. Doesn't count as an attempt. */
export async function noteWaiting(db: Db, object: ObjectRef, other: ObjectRef): Promise<void> {
  await recordOf(db, object)
    .set({ state: 'waiting', waitsFor: refText(other), error: null })
    .execute()
}

/**
 * Records that the back end has the object's state as of the start of the job. `toldAt` is when it accepted
 * that state, null if the object doesn't exist there. Later changes stay pending.
 */
export async function noteDone(
  db: Db,
  object: ObjectRef,
  begun: BegunWork,
  toldAt: Date | null,
): Promise<void> {
  await recordOf(db, object)
    .set({
      state: sql<WorkState>`case when revision = ${begun.revision} then 'done' else 'waiting' end`,
      attempts: 0,
      error: null,
      waitsFor: null,
      toldAt,
    })
    .execute()
}

/** Records that the back end no longer has an object, regardless of remaining work. */
export async function noteForgotten(db: Db, object: ObjectRef): Promise<void> {
  await recordOf(db, object).set({ toldAt: null }).execute()
  await namesQuery(db, object).execute()
}

/** Deletes the record of an object that no longer has a row. */
export async function dropRecord(db: Db, object: ObjectRef): Promise<void> {
  await db
    .deleteFrom('provisioning')
    .where('kind', '=', object.kind)
    .where('objectId', '=', object.id)
    .execute()
}

function recordOf(db: Db, object: ObjectRef) {
  return db
    .updateTable('provisioning')
    .where('kind', '=', object.kind)
    .where('objectId', '=', object.id)
    .where('step', '=', backendStep)
}

function namesQuery(db: Db, object: ObjectRef) {
  return db.deleteFrom('provisioningNames').where('kind', '=', object.kind).where('objectId', '=', object.id)
}

/** Returns the names under which the back end may know an object. */
export async function namesOf(db: Db, object: ObjectRef): Promise<string[]> {
  const rows = await db
    .selectFrom('provisioningNames')
    .select('name')
    .where('kind', '=', object.kind)
    .where('objectId', '=', object.id)
    .orderBy('name')
    .execute()
  return rows.map((row) => row.name)
}

/**
 * Records a name under which the back end may know an object, before the name is sent. Returns the object that
 * still holds the name, or undefined if this one does.
 */
export async function claimName(db: Db, object: ObjectRef, name: string): Promise<ObjectRef | undefined> {
  await db
    .insertInto('provisioningNames')
    .values({ name, kind: object.kind, objectId: object.id })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const holder = await db
    .selectFrom('provisioningNames')
    .select(['kind', 'objectId'])
    .where('name', '=', name)
    .executeTakeFirst()
  // released between the two statements; the releasing job wakes the waiting ones
  if (holder === undefined) return claimName(db, object, name)
  const { kind, objectId: id } = holder
  return kind === object.kind && id === object.id ? undefined : { kind, id }
}

/** Releases all names of an object but one. */
export async function keepName(db: Db, object: ObjectRef, name: string): Promise<void> {
  await namesQuery(db, object).where('name', '!=', name).execute()
}

/** Returns the objects that are blocked until this one is ready or removed. */
export async function waitingFor(db: Db, object: ObjectRef): Promise<ObjectRef[]> {
  const rows = await db
    .selectFrom('provisioning')
    .select(['kind', 'objectId'])
    .where('waitsFor', '=', refText(object))
    .where('step', '=', backendStep)
    .execute()
  return rows.map((row) => ({ kind: row.kind, id: row.objectId }))
}

/** Returns the progress of the work on an object and what it waits for; undefined if there never was any. */
export async function readWork(
  db: Db,
  object: ObjectRef,
): Promise<{ readonly state: WorkState; readonly waitsFor: string | null } | undefined> {
  const row = await db
    .selectFrom('provisioning')
    .select(['state', 'waitsFor'])
    .where('kind', '=', object.kind)
    .where('objectId', '=', object.id)
    .where('step', '=', backendStep)
    .executeTakeFirst()
  return row && { state: row.state, waitsFor: row.waitsFor }
}

/**
 * Records the progress of a step that isn't the back end's, such as a domain's DNS lookup. `step` is the
 * suffix of the step's label: `verified` in `domain-verified`.
 */
export async function noteStep(
  db: Db,
  clock: Clock,
  object: ObjectRef,
  step: string,
  work: { readonly state: WorkState; readonly error?: string },
): Promise<void> {
  const noted = { state: work.state, error: work.error ?? null, tried_at: clock.now() }
  await db
    .insertInto('provisioning')
    .values({
      kind: object.kind,
      objectId: object.id,
      step,
      waitsFor: null,
      toldAt: null,
      ...noted,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'objectId', 'step']).doUpdateSet(noted))
    .execute()
  await forgetViews(db, object)
}
