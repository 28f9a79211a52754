import { type StateKind, stateKinds, stepActions } from '@gatehouse/contract/directory/plans'
import type { Language } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { joinedDb } from '../../platform/db/joined-db.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Conflict, Forbidden, message } from '../../platform/http/errors.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { AccountViews } from '../../users/account-view/account-views.ts'
import type { Batch, BatchActor, WaitingRow } from '../batch.ts'
import { userImporter } from '../import/import-users.ts'
import { readPerson } from '../person.ts'
import type { RowWorker } from '../work-batch.ts'
import type { WholeWork } from '../work-whole.ts'
import { type Applying, applyStep } from './apply-steps.ts'
import { rowOf } from './check-users.ts'
import type { StateParts } from './desk.ts'
import { seeAccount } from './make-plan.ts'
import { holdObjects } from './state-store.ts'
import type { Step } from './steps.ts'

const values = z.record(z.string(), z.unknown()).nullable()

const storedStep = z.object({
  kind: z.enum(stateKinds),
  action: z.enum(stepActions),
  path: z.string(),
  id: z.number().optional(),
  before: values,
  after: values,
})

/** Returns the step that a row contains. */
export function stepOf({ label, input }: Pick<WaitingRow, 'label' | 'input'>): Step {
  const { id, ...step } = storedStep.parse(input)
  return { ...step, label, ...(id !== undefined && { id }) }
}

/** The account has changed since the plan was made. */
export class AccountChanged extends Conflict {
  constructor() {
    super(message('desired-state.changed'))
  }
}

/** Users created per preparation. */
const atOnce = 500

/** Applies plans: all steps in one transaction that first checks that the account is as it was planned. */
export function planWork(parts: StateParts): WholeWork {
  return {
    async begin(trx, batch, rows) {
      const { actor } = batch
      const person = actor === null ? undefined : await readPerson(trx, actor.userId)
      const account = person && (await readAccountViewIn(trx, person.userId))
      if (actor === null || person === undefined || account?.wallet.id !== batch.walletId)
        throw new Forbidden()
      const steps = rows.map(stepOf)
      // rooms are only changed by those who hold the wallet
      await holdObjects(trx, {
        domains: idsOf(steps, ['domains']),
        users: idsOf(steps, ['users', 'policies']),
        objects: idsOf(steps, ['lists', 'resources', 'folders']),
      })
      const { fingerprint } = await seeAccount(trx, { account })
      if (fingerprint !== batch.params.fingerprint) throw new AccountChanged()
      const db = joinedDb(trx)
      const joined = { ...parts, db, views: new AccountViews({ db }, parts.clock) }
      const work: Applying = {
        trx,
        parts: joined,
        principal: principalOf(person, actor, batch, parts.clock),
        facts: requestOf(batch.language, actor.ip, batch.id),
        createUser: userCreator(joined, trx, batch, rows, actor),
      }
      return (row) => applyStep(work, row.n, stepOf(row))
    },
  }
}

function idsOf(steps: readonly Step[], kinds: readonly StateKind[]): number[] {
  return steps.flatMap(({ kind, action, id }) =>
    kinds.includes(kind) && action !== 'restore' && id !== undefined ? [id] : [],
  )
}

/** Returns a function that creates the user of a row, with the rules of imports. */
function userCreator(
  parts: StateParts,
  trx: Db,
  batch: Batch,
  rows: readonly WaitingRow[],
  actor: BatchActor,
) {
  const { work } = userImporter(parts)
  const created = rows.flatMap((row) => {
    const step = stepOf(row)
    const isNew = step.kind === 'users' && step.action === 'create'
    return isNew ? [{ ...row, input: rowOf(step) }] : []
  })
  const places = new Map(created.map(({ n }, index) => [n, index]))
  const order = { ...batch, params: { withoutLinks: actor.key !== undefined } }
  const workers = new Map<number, Promise<RowWorker>>()
  return async (n: number): Promise<number> => {
    const place = places.get(n) ?? 0
    const first = place - (place % atOnce)
    const worker =
      workers.get(first) ?? work.begin(trx, order, created.slice(first, first + atOnce), new Map())
    workers.set(first, worker)
    const row = created[place]
    const id = row && (await (await worker)(row))
    if (id === undefined) throw new RangeError(`row ${n} creates no user`)
    return id
  }
}

/**
 * The caller who applied the plan. That they authenticated recently, if the plan needs it, was checked then; so
 * were the scopes of an API key.
 */
function principalOf(
  person: { readonly userId: number; readonly tenantId: number },
  { email, key }: BatchActor,
  { id }: Batch,
  clock: Clock,
): Principal {
  const quota = { limit: 0, left: 0, reset: 0 }
  return {
    ...person,
    email,
    role: null,
    status: 0,
    isSuspended: false,
    isLocked: false,
    sessionId: id,
    tokenHash: Buffer.alloc(0),
    scopes: ['api'],
    accountVersion: id,
    authenticatedAt: key === undefined ? clock.now() : null,
    ...(key && { apiKey: { id, ...key, scopes: [], quota } }),
  }
}

/** Properties of a request that isn't made by a browser. */
function requestOf(language: Language, ip: string, requestId: string): RequestFacts {
  return {
    variant: 'user',
    language,
    t: createTranslator(language),
    ip,
    provenIp: () => undefined,
    userAgent: '',
    hostname: '',
    cookie: undefined,
    device: () => '',
    sentDevice: undefined,
    onHangUp: () => () => undefined,
    note: () => undefined,
    requestId,
    inspect: () => ({ clientIps: [], isFromTrustedProxy: false, headers: {} }),
  }
}
