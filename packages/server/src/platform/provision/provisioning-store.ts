import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { type ObjectRef, type ProvisionedKind, refText } from './object-ref.ts'

/** How far work that goes on outside requests is. */
export type WorkState = Schema['provisioning']['state']

/** The step of telling the back end; a kind of object may have others that are worked on elsewhere. */
const backendStep = 'backend'

/** What the record said when a job began. */
export interface BegunWork {
  /** Another one by the end: there was a change meanwhile, which has its own job. */
  readonly revision: number
  /** When the back end last took what it was told; null: it knows nothing of the object. */
  readonly toldAt: Date | null
}

/** Notes that objects changed and their jobs are waiting. */
export async function noteChange(db: Db, kind: ProvisionedKind, ids: readonly number[]): Promise<void> {
  await forgetFailures(db, kind, ids)
  await sql`insert into provisioning (kind, object_id, step, state)
    select ${kind}, id, ${backendStep}, 'waiting' from unnest(${ids}::bigint[]) as given(id) order by id
    on conflict (kind, object_id, step) do update set
      state = 'waiting', revision = provisioning.revision + 1, attempts = 0, error = null, waits_for = null`.execute(
    db,
  )
}

/** Tables whose rows name a version of what readers remember of an object. */
const remembered: Partial<Record<ProvisionedKind, string>> = { user: 'users', domain: 'domains' }

/** Lets nobody remember any longer that the work on objects failed. Call it before their records are changed. */
async function forgetFailures(db: Db, kind: ProvisionedKind, ids: readonly number[]): Promise<void> {
  const table = remembered[kind]
  if (table === undefined) return
  await sql`update ${sql.table(table)} as o set revision = o.revision from provisioning p
    where p.kind = ${kind} and p.object_id = o.id and p.step = ${backendStep} and p.state = 'failed'
      and o.id = any(${ids}::bigint[])`.execute(db)
}

/** Lets nobody remember any longer how far the work on an object was. */
async function forgetViews(db: Db, { kind, id }: ObjectRef): Promise<void> {
  const table = remembered[kind]
  if (table === undefined) return
  await sql`update ${sql.table(table)} set revision = revision where id = ${id}`.execute(db)
}

/** Notes that the job of an object runs. */
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

/** Notes that a try failed. Returns whether it is the newest job of the object that did. */
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

/** Notes that nothing can be told until another object is ready. It uses up no try. */
export async function noteWaiting(db: Db, object: ObjectRef, other: ObjectRef): Promise<void> {
  await recordOf(db, object)
    .set({ state: 'waiting', waitsFor: refText(other), error: null })
    .execute()
}

/**
 * Notes that the back end is as the object was when the job began; `toldAt`: when it took that, null: it has
 * forgotten the object or never heard of it. What changed meanwhile is waiting still.
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

/** Notes that the back end knows an object no more, whatever else may be to do. */
export async function noteForgotten(db: Db, object: ObjectRef): Promise<void> {
  await recordOf(db, object).set({ toldAt: null }).execute()
  await namesQuery(db, object).execute()
}

/** Drops the record of an object that has no row any more. */
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

/** Names under which the back end may know an object. */
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
 * Writes down that the back end may know an object by a name, before it is told so. Returns the other object
 * that has the name still; undefined: it is this one's.
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
  // let go of between the two statements: whoever let go wakes those who wait
  if (holder === undefined) return claimName(db, object, name)
  const { kind, objectId: id } = holder
  return kind === object.kind && id === object.id ? undefined : { kind, id }
}

/** Lets go of all names of an object but one. */
export async function keepName(db: Db, object: ObjectRef, name: string): Promise<void> {
  await namesQuery(db, object).where('name', '!=', name).execute()
}

/** Objects that cannot go on before this one is ready or gone. */
export async function waitingFor(db: Db, object: ObjectRef): Promise<ObjectRef[]> {
  const rows = await db
    .selectFrom('provisioning')
    .select(['kind', 'objectId'])
    .where('waitsFor', '=', refText(object))
    .where('step', '=', backendStep)
    .execute()
  return rows.map((row) => ({ kind: row.kind, id: row.objectId }))
}

/** How far the work on an object is, and what it waits for; undefined: there was never any. */
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
 * Notes how far a step of an object is that is not the back end's, as a domain's look-up in the DNS. `step` is the
 * end of the step's label: `verified` of `domain-verified`.
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
