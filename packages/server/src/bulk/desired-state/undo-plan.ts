import { type StateKind, stateKinds } from '@gatehouse/contract/directory/plans'
import { message } from '../../platform/http/errors.ts'
import type { WaitingRow } from '../batch.ts'
import type { AccountState, StateObject } from './account-state.ts'
import { stepOf } from './apply-plan.ts'
import { type DeletedObject, readDeleted } from './deleted-objects.ts'
import type { Planner, StateParts } from './desk.ts'
import { checkSteps, type PlannedStep, type StatePlan, seeTogether } from './make-plan.ts'
import { Problems } from './problems.ts'
import { changedFields, type Step } from './steps.ts'

type DoneStep = Step & { readonly id: number }

/**
 * Plans to undo the steps of an applied plan, the last one first. A step whose object has changed or disappeared
 * since then is refused, and the others are planned.
 */
export async function planUndo(
  parts: StateParts,
  planner: Planner,
  rows: readonly WaitingRow[],
): Promise<StatePlan> {
  const { state, fingerprint } = await seeTogether(parts.db, planner)
  const done = rows.toReversed().map((row): DoneStep => {
    const step = stepOf(row)
    return { ...step, path: 'steps', id: row.objectId ?? step.id ?? 0 }
  })
  const deleted = new Map<string, DeletedObject>()
  for (const kind of stateKinds) {
    const ids = done.flatMap((step) => (step.action === 'delete' && step.kind === kind ? [step.id] : []))
    for (const object of await readDeleted(parts, planner, kind, ids)) {
      deleted.set(`${kind} ${object.id}`, object)
    }
  }
  const find = finder(state)
  const steps = done.map((step) => reverse(step, find, deleted))
  // what was deleted comes back before anything refers to it
  const ordered = [
    ...steps.filter(({ action }) => action === 'restore'),
    ...steps.filter(({ action }) => action !== 'restore'),
  ]
  const possible = ordered.filter(({ refusal }) => refusal === undefined)
  const price = await checkSteps(parts, planner, state, possible, new Problems())
  return { steps: ordered, price, fingerprint }
}

type Find = (kind: StateKind, id: number) => StateObject | undefined

function finder(state: AccountState): Find {
  const found = new Map(
    stateKinds.flatMap((kind) =>
      state[kind].map((object): [string, StateObject] => [`${kind} ${object.id}`, object]),
    ),
  )
  return (kind, id) => found.get(`${kind} ${id}`)
}

function reverse(done: DoneStep, find: Find, deleted: ReadonlyMap<string, DeletedObject>): PlannedStep {
  const { kind, id } = done
  const gone = { refusal: message('desired-state.gone') }
  switch (done.action) {
    case 'create':
    case 'restore': {
      const found = find(kind, id)
      const step = { ...done, action: 'delete', before: found?.values ?? done.after, after: null } as const
      return found === undefined ? { ...step, ...gone } : step
    }
    case 'change':
      return reverseChange(done, find(kind, id))
    case 'delete': {
      const step = { ...done, action: 'restore', before: null, after: done.before } as const
      const found = deleted.get(`${kind} ${id}`)
      if (found === undefined) return { ...step, ...gone }
      return found.problem === undefined ? step : { ...step, refusal: found.problem }
    }
  }
}

function reverseChange(done: DoneStep, found: StateObject | undefined): PlannedStep {
  const { before, after } = done
  const step = { ...done, before: after, after: before }
  if (found === undefined) return { ...step, refusal: message('desired-state.gone') }
  if (Object.keys(changedFields(found.values, after ?? {})).length > 0) {
    return { ...step, refusal: message('desired-state.changed-since') }
  }
  return isUndoable(done) ? step : { ...step, refusal: message('desired-state.no-package') }
}

/** Subscriptions that were no package can't be named, so that a change of them can't be undone. */
export function isUndoable({ kind, action, before }: Pick<Step, 'kind' | 'action' | 'before'>): boolean {
  return !(kind === 'users' && action === 'change' && before?.package === null)
}
