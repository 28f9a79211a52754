import type { Plan } from '@gatehouse/contract/directory/plans'
import { maxPlanSteps, planLife, stepActions, undoDays } from '@gatehouse/contract/directory/plans'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Conflict, Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { requireOwn } from '../../users/access.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { Batch } from '../batch.ts'
import { countRows, readBatch } from '../batch-store.ts'
import { canSteerBatch } from '../policy.ts'
import { batchActor, requireBatch } from '../routes.ts'
import { countActions, countStates, nextRows, planRows } from '../row-store.ts'
import { startBatch } from '../steer-batch.ts'
import { AccountChanged, stepOf } from './apply-plan.ts'
import type { Planner, StateParts } from './desk.ts'
import { exportState, planDocument, type StatePlan, seeTogether, storePlan } from './make-plan.ts'
import { planState, presentPlan, presentStep } from './present-plan.ts'
import { Problems } from './problems.ts'
import { readSentDocument } from './read-sent-document.ts'
import { needsFreshProof, requireStepRights } from './step-rights.ts'
import { planUndo } from './undo-plan.ts'

/** Maximum steps in the answer to a plan. */
const shownSteps = 100
const pageSize = 20

/** The desired state of an account: export, plans, applying and undoing them. */
export function servePlans(api: Api, parts: StateParts): void {
  const { db } = parts

  api.serve('GET /api/v4/state', async (request) => exportState(db, await plannerOf(parts, request)))

  api.serveUpload('POST /api/v4/plans', async (context) => {
    const planner = await plannerOf(parts, context)
    const plan = await planDocument(parts, planner, await readSentDocument(context.file))
    return answer(parts, context, planner, plan)
  })

  api.serve('GET /api/v4/plans/{id}', async ({ principal, params, t }) => {
    const { id } = await requirePlan(db, principal, params.id)
    return shownPlan(parts, id, t)
  })

  api.serve('GET /api/v4/plans/{id}/steps', async ({ principal, params, query, t }) => {
    const { id } = await requirePlan(db, principal, params.id)
    const size = query.size ?? pageSize
    const offset = ((query.page ?? 1) - 1) * size
    const rows = await planRows(db, id, { offset, limit: size })
    const total = await countStates(db, id, null)
    const list = rows.map((row) => presentStep(row, t))
    return { list, count: list.length, hasMore: total > offset + list.length, total }
  })

  api.serveLate('POST /api/v4/plans/{id}/apply', async (context) => {
    const { principal, params, t } = context
    const batch = await requirePlan(db, principal, params.id)
    await requireApplicable(parts, context, batch)
    await startBatch(parts, batch.id, batchActor(context))
    const plan = await shownPlan(parts, batch.id, t)
    const text = plan.state === 'applied' ? t('desired-state.applied') : t('desired-state.applying')
    return { status: 'success', message: text, plan }
  })

  api.serveLate('POST /api/v4/plans/{id}/undo', async (context) => {
    const { principal, params } = context
    const batch = await requirePlan(db, principal, params.id)
    const planner = await plannerOf(parts, context)
    const rows = await requireUndoable(parts, batch)
    const plan = await planUndo(parts, planner, rows)
    if (plan.steps.every(({ refusal }) => refusal !== undefined)) {
      throw new Conflict(message('desired-state.nothing-to-undo'))
    }
    return answer(parts, context, planner, plan, batch.id)
  })
}

type Request = Pick<RequestFacts, 'language' | 't' | 'ip'> & { readonly principal: Principal }

/** The caller with their account. Throws Forbidden unless they control it. */
async function plannerOf({ views }: StateParts, { principal, language, t, ip }: Request): Promise<Planner> {
  const account = await requireOwn(views, principal)
  if (!canSteerBatch(principal, ownedUser(account))) throw new Forbidden()
  return { principal, account, language, t, ip }
}

/** Stores a plan and presents it; an empty one isn't stored. */
async function answer(
  parts: StateParts,
  request: Request,
  planner: Planner,
  plan: StatePlan,
  undoes?: string,
): Promise<{ status: 'success'; message: string; plan: Plan }> {
  const { t } = request
  if (plan.steps.length === 0) {
    const text = t('desired-state.nothing-to-change')
    return { status: 'success', message: text, plan: emptyPlan(parts, planner, plan) }
  }
  const how = { actor: batchActor(request), ...(undoes !== undefined && { undoes }) }
  const id = await storePlan(parts, planner, plan, how)
  return { status: 'success', message: t('desired-state.planned'), plan: await shownPlan(parts, id, t) }
}

function emptyPlan({ clock }: StateParts, { principal }: Planner, { price }: StatePlan): Plan {
  const now = clock.now()
  return {
    id: null,
    state: 'applied',
    undoes: null,
    by: principal.email,
    // exactly the actions
    counts: Object.fromEntries(stepActions.map((action) => [action, 0])) as Plan['counts'],
    total: 0,
    refused: 0,
    price,
    steps: [],
    created_at: wireDate(now),
    expires_at: wireDate(after(now, planLife)),
    ended_at: wireDate(now),
    canApply: false,
    canUndo: false,
  }
}

/** The plan in a path. Throws NotFound, and Forbidden if the caller doesn't control its account. */
async function requirePlan(db: Db, principal: Principal, id: string): Promise<Batch> {
  const batch = await requireBatch(db, principal, id)
  if (batch.kind !== 'plan') throw new NotFound()
  return batch
}

/** Why a plan can't be applied. */
const refusals = {
  expired: 'desired-state.expired',
  failed: 'desired-state.failed',
  cancelled: 'desired-state.cancelled',
} as const

/** Throws Conflict if a plan can't be applied, and the errors of steps that the caller may not make. */
async function requireApplicable(parts: StateParts, request: Request, batch: Batch): Promise<void> {
  const { db, clock } = parts
  const { principal } = request
  const rows = (await countRows(db, [batch.id])).get(batch.id)
  const state = rows && planState({ batch, rows, now: clock.now() })
  // on a second call the plan is already applied, as intended
  if (state === 'applying' || state === 'applied') return
  if (state !== 'ready') throw new Conflict(message(refusals[state ?? 'expired']))
  const planner = await plannerOf(parts, request)
  if (planner.account.wallet.id !== batch.walletId) throw new Forbidden()
  const steps = (await nextRows(db, batch.id, 'ok', maxPlanSteps)).map(stepOf)
  const problems = new Problems()
  requireStepRights(principal, steps, problems)
  problems.require()
  if (borrowedCaller(principal) === undefined && needsFreshProof(steps)) {
    await parts.stepUp.requireFresh(principal)
  }
  const { fingerprint } = await seeTogether(db, planner)
  if (fingerprint !== batch.params.fingerprint) throw new AccountChanged()
}

/** The steps of an applied plan that were done. Throws Conflict if it can't be undone. */
async function requireUndoable({ db, clock }: StateParts, batch: Batch) {
  const rows = (await countRows(db, [batch.id])).get(batch.id)
  const state = rows && planState({ batch, rows, now: clock.now() })
  const { endedAt } = batch
  if (state !== 'applied' || endedAt === null) throw new Conflict(message('desired-state.not-applied'))
  if (after(endedAt, undoDays * day) <= clock.now()) throw new Conflict(message('desired-state.undo-late'))
  return nextRows(db, batch.id, 'done', maxPlanSteps)
}

async function shownPlan({ db, clock }: StateParts, id: string, t: Translate): Promise<Plan> {
  const batch = await readBatch(db, id)
  const rows = (await countRows(db, [id])).get(id)
  if (batch === undefined || rows === undefined) throw new NotFound()
  const first = await planRows(db, id, { offset: 0, limit: shownSteps })
  return presentPlan({ batch, rows, actions: await countActions(db, id), first, now: clock.now() }, t)
}
