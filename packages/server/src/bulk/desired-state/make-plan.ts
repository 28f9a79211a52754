import type { BulkPrice } from '@gatehouse/contract/directory/bulk'
import { maxPlanSteps, planLife } from '@gatehouse/contract/directory/plans'
import { after } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { ceilingProblem } from '../../subscriptions/ceiling.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { BatchActor, NewRow, RowMessage } from '../batch.ts'
import { countPlans, insertBatch } from '../batch-store.ts'
import { bulkPriceOf } from '../bulk-price.ts'
import { insertRows } from '../row-store.ts'
import { type AccountState, documentOf, fingerprintOf, readAccountState } from './account-state.ts'
import { checkObjects } from './check-objects.ts'
import { checkDomains, checkPolicies, checkRooms } from './check-rest.ts'
import { checkUsers } from './check-users.ts'
import { pricesOfRestored } from './deleted-objects.ts'
import { addressesOf, type Desk, type Planner, type StateParts } from './desk.ts'
import { Problems } from './problems.ts'
import { readDocument } from './read-document.ts'
import { requireStepRights } from './step-rights.ts'
import { type Step, stepsBetween } from './steps.ts'

/** Maximum plans of an account that can still be applied. */
const mostOpen = 20

/** The present state of an account and its hash. */
export interface Seen {
  readonly state: AccountState
  readonly fingerprint: string
}

/** Reads the present state, all of it at one moment. */
export async function seeAccount(db: Db, planner: Pick<Planner, 'account'>): Promise<Seen> {
  const state = await readAccountState(db, planner.account)
  return { state, fingerprint: await fingerprintOf(db, planner.account, state) }
}

/** A step that is part of a plan, or why it can't be. */
export interface PlannedStep extends Step {
  readonly refusal?: RowMessage
}

/** Steps with their total price. */
export interface StatePlan {
  readonly steps: readonly PlannedStep[]
  readonly price: BulkPrice
  readonly fingerprint: string
}

/**
 * Plans the changes that give an account the state of a document. Throws ValidationError with the path of each
 * error.
 */
export async function planDocument(
  parts: StateParts,
  planner: Planner,
  input: Readonly<Record<string, unknown>>,
): Promise<StatePlan> {
  const wanted = readDocument(input)
  const seen = await seeTogether(parts.db, planner)
  const problems = new Problems()
  const { userId: callerId } = planner.principal
  const { ownerId } = ownedUser(planner.account)
  const steps = stepsBetween(seen.state, wanted, { ownerId: ownerId ?? callerId, callerId }, problems)
  if (steps.length > maxPlanSteps) {
    problems.add('document', message('desired-state.too-many-steps', { max: maxPlanSteps }))
  }
  problems.require()
  const price = await checkSteps(parts, planner, seen.state, steps, problems)
  return { steps, price, fingerprint: seen.fingerprint }
}

/** All queries see the same state. */
export function seeTogether(db: Db, planner: Pick<Planner, 'account'>): Promise<Seen> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => seeAccount(trx, planner))
}

/** Checks steps with the rules of the single calls. Returns the price. Throws ValidationError. */
export async function checkSteps(
  parts: StateParts,
  planner: Planner,
  state: AccountState,
  steps: readonly Step[],
  problems: Problems,
): Promise<BulkPrice> {
  requireStepRights(planner.principal, steps, problems)
  const desk: Desk = {
    ...planner,
    parts,
    state,
    steps,
    problems,
    coming: addressesOf(steps, ['create', 'restore']),
    going: addressesOf(steps, ['delete']),
    added: await pricesOfRestored(parts, planner, steps),
    removed: [],
  }
  await checkDomains(desk)
  await checkUsers(desk)
  await checkObjects(desk)
  await checkRooms(desk)
  checkPolicies(desk)
  problems.require()
  return priceOf(parts, planner, desk)
}

/** Returns the price. Throws ValidationError if it exceeds the owner's limit. */
async function priceOf(
  { db, clock }: Pick<StateParts, 'db' | 'clock'>,
  { account, language }: Pick<Planner, 'account' | 'language'>,
  change: Pick<Desk, 'added' | 'removed'>,
): Promise<BulkPrice> {
  const price = await bulkPriceOf(db, account.wallet.id, change, clock.now())
  const isMore = price.monthly.next > price.monthly.now
  const problem = isMore
    ? await ceilingProblem(db, account.wallet.id, price.monthly.next, language)
    : undefined
  if (problem !== undefined) throw new ValidationError({ document: problem })
  return price
}

/** Stores a plan. Returns its id. Throws ValidationError if the account has too many. */
export async function storePlan(
  { db, clock }: Pick<StateParts, 'db' | 'clock'>,
  { principal, account, language }: Planner,
  plan: StatePlan,
  how: { readonly actor: BatchActor; readonly undoes?: string },
): Promise<string> {
  const walletId = account.wallet.id
  const now = clock.now()
  if ((await countPlans(db, walletId, after(now, -planLife))) >= mostOpen) {
    throw ValidationError.at('document', 'desired-state.too-many-open')
  }
  const id = newUuid()
  await db.transaction().execute(async (trx) => {
    await insertBatch(trx, now, {
      id,
      tenantId: principal.tenantId,
      walletId,
      creatorId: principal.userId,
      actor: how.actor,
      language,
      kind: 'plan',
      objects: 'steps',
      action: how.undoes === undefined ? 'apply' : 'undo',
      params: { fingerprint: plan.fingerprint, ...(how.undoes !== undefined && { undoes: how.undoes }) },
      state: 'ready',
      total: plan.steps.length,
      price: plan.price,
    })
    await insertRows(trx, id, plan.steps.map(rowOf))
  })
  return id
}

function rowOf(step: PlannedStep, index: number): NewRow {
  const { kind, action, label, path, before, after: values, id, refusal } = step
  return {
    n: index + 1,
    label,
    input: { kind, action, path, before, after: values, ...(id !== undefined && { id }) },
    ...(refusal === undefined ? { state: 'ok' } : { state: 'refused', messages: [refusal] }),
    ...(id !== undefined && { objectId: id }),
  }
}

/** Returns the present state as a document. */
export async function exportState(db: Db, planner: Pick<Planner, 'account'>) {
  return documentOf((await seeTogether(db, planner)).state)
}
