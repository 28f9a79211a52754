import type { RowState } from '@gatehouse/contract/directory/bulk'
import {
  type Plan,
  type PlanStep,
  planLife,
  stepActions,
  undoDays,
} from '@gatehouse/contract/directory/plans'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { MessageKey, Translate } from '../../platform/i18n/translator.ts'
import type { Batch } from '../batch.ts'
import { presentMessage } from '../present.ts'
import type { PlanRow } from '../row-store.ts'
import { stepOf } from './apply-plan.ts'
import type { Step } from './steps.ts'
import { isUndoable } from './undo-plan.ts'

/** A stored plan with what its presentation needs. */
export interface PlanFacts {
  readonly batch: Batch
  /** Number of rows by state. */
  readonly rows: Record<RowState, number>
  /** Number of steps by action, without refused ones. */
  readonly actions: ReadonlyMap<string, number>
  /** The first steps. */
  readonly first: readonly PlanRow[]
  readonly now: Date
}

/** The state of a stored plan. */
export function planState({ batch, rows, now }: Omit<PlanFacts, 'first' | 'actions'>): Plan['state'] {
  switch (batch.state) {
    case 'done':
      return rows.failed > 0 ? 'failed' : 'applied'
    case 'running':
      return 'applying'
    case 'cancelled':
      return 'cancelled'
    default:
      return now < after(batch.createdAt, planLife) ? 'ready' : 'expired'
  }
}

export function presentPlan(facts: PlanFacts, t: Translate): Plan {
  const { batch, rows, actions, first, now } = facts
  const { id, price, params, createdAt, endedAt } = batch
  if (price === null) throw new RangeError(`plan ${id} has no price`)
  const state = planState(facts)
  const counts = stepActions.map((action): [string, number] => [action, actions.get(action) ?? 0])
  return {
    id,
    state,
    undoes: typeof params.undoes === 'string' ? params.undoes : null,
    by: batch.creatorEmail,
    // exactly the actions
    counts: Object.fromEntries(counts) as Plan['counts'],
    total: batch.total,
    refused: rows.refused,
    price,
    steps: first.map((row) => presentStep(row, t)),
    created_at: wireDate(createdAt),
    expires_at: wireDate(after(createdAt, planLife)),
    ended_at: endedAt && wireDate(endedAt),
    canApply: state === 'ready' && rows.ok > 0,
    canUndo: state === 'applied' && endedAt !== null && now < after(endedAt, undoDays * day),
  }
}

/** A step of a plan, in the reader's language. */
export function presentStep(row: PlanRow, t: Translate): PlanStep {
  const { kind, action, label, before, after: values } = stepOf(row)
  return {
    n: row.n,
    kind,
    action,
    label,
    before,
    after: values,
    state: row.state,
    messages: row.messages.map((one) => presentMessage(one, t)),
    objectId: row.objectId,
    undo: undoOf({ kind, action, before }, t),
  }
}

function undoOf(step: Pick<Step, 'kind' | 'action' | 'before'>, t: Translate): PlanStep['undo'] {
  if (!isUndoable(step)) return { possible: false, note: t('desired-state.no-package') }
  const key = notes[`${step.kind} ${step.action}`]
  return { possible: true, note: key === undefined ? null : t(key) }
}

/** What undoing a step doesn't bring back, or needs. */
const notes: Readonly<Record<string, MessageKey>> = {
  'users create': 'desired-state.undo-user',
  'domains create': 'desired-state.undo-domain',
  'domains delete': 'desired-state.undo-domain-deletion',
}
