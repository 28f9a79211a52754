import { z } from 'zod'
import { transition } from '../accounts/user-state.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { GroupwareBackend } from './backend.ts'

/** Makes a new user's mailbox. Enqueue it in the transaction that creates the user. */
export const createUserJob = defineJob('user:create', z.object({ id: z.number().int() }), 24)

/** Queue of all work on one object: its jobs run in the order in which they were enqueued. */
export function objectQueue(kind: string, id: number): string {
  return `${kind}:${id}`
}

/** Takes on the jobs that tell the back end about users; reference api-objects §5.3. */
export function handleProvisioning(jobs: Jobs, db: Db, clock: Clock, backend: GroupwareBackend): void {
  jobs.handle(createUserJob, async ({ id }) => {
    const user = await db
      .selectFrom('users')
      .select(['id', 'email', 'role', 'deleted_at', 'wallet_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (user === undefined || user.deleted_at !== null || user.role === 'service') return
    if (!(await hasMailbox(db, id))) return
    await backend.createUser({ id: user.id, email: user.email })
    await transition(db, clock, id, 'mailboxReady')
    if (!(await awaitsPayment(db, user.wallet_id))) await transition(db, clock, id, 'activate')
  })
}

async function hasMailbox(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('entitlements as e')
    .innerJoin('skus as k', 'k.id', 'e.sku_id')
    .select('e.id')
    .where('e.object_type', '=', 'user')
    .where('e.object_id', '=', userId)
    .where('e.deleted_at', 'is', null)
    .where('k.handler', '=', 'Mailbox')
    .executeTakeFirst()
  return row !== undefined
}

/** An account in mandate mode becomes active with its first payment, not with its mailbox. */
async function awaitsPayment(db: Db, walletId: string | null): Promise<boolean> {
  if (walletId === null) return false
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('user_settings as s', 's.user_id', 'w.user_id')
    .innerJoin('plans as p', (join) =>
      join.on('s.key', '=', 'plan_id').on('s.value', '=', (eb) => eb.cast('p.id', 'text')),
    )
    .select('p.mode')
    .where('w.id', '=', walletId)
    .executeTakeFirst()
  return row?.mode === 'mandate'
}
