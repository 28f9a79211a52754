import { type StateKind, type StepAction, stateKinds } from '@gatehouse/contract/directory/plans'
import { message } from '../../platform/http/errors.ts'
import type { AccountState, StateObject, Values } from './account-state.ts'
import type { Problems } from './problems.ts'
import type { WantedObject, WantedState } from './read-document.ts'

/** One change of a plan. */
export interface Step {
  readonly kind: StateKind
  readonly action: StepAction
  readonly label: string
  /** Where the document asks for it. */
  readonly path: string
  /** Absent: a new object. */
  readonly id?: number
  /** The fields that change; for deletions and creations, all fields. */
  readonly before: Values | null
  readonly after: Values | null
}

/** Fields that only a new object can have. */
const fixed: Readonly<Partial<Record<StateKind, readonly string[]>>> = {
  domains: ['package'],
  folders: ['type'],
  rooms: ['name'],
}

/** Who is never deleted by a document. */
export interface Kept {
  readonly ownerId: number
  readonly callerId: number
}

/**
 * Returns the steps from the present to the wanted state: objects are created and changed in the order of the
 * kinds, then deleted in reverse order. Adds errors to `problems`.
 */
export function stepsBetween(
  state: AccountState,
  wanted: WantedState,
  kept: Kept,
  problems: Problems,
): Step[] {
  const steps: Step[] = []
  const deletions: Step[] = []
  for (const kind of stateKinds) {
    const objects = wanted.objects.filter((object) => object.kind === kind)
    const matched = new Set<number>()
    const own = objects.flatMap((object) => {
      const found = matchOf(state[kind], object, matched)
      if (found !== undefined) matched.add(found.id)
      return stepOf(found, object, problems)
    })
    steps.push(...(kind === 'lists' ? nestedFirst(own) : own))
    if (!wanted.complete.has(kind)) continue
    const gone = state[kind].filter(
      ({ id }) => !matched.has(id) && !(kind === 'users' && (id === kept.ownerId || id === kept.callerId)),
    )
    deletions.unshift(...gone.map((object) => deletion(kind, object)))
  }
  return [...steps, ...deletions]
}

function deletion(kind: StateKind, { id, label, values }: StateObject): Step {
  return { kind, action: 'delete', label, path: `complete.${kind}`, id, before: values, after: null }
}

function matchOf(
  present: readonly StateObject[],
  wanted: WantedObject,
  taken: ReadonlySet<number>,
): StateObject | undefined {
  if (wanted.kind !== 'rooms' || wanted.values.name !== undefined) {
    return index(present).get(wanted.key)
  }
  return present.find(({ id, values }) => !taken.has(id) && values.description === wanted.values.description)
}

const indexes = new WeakMap<readonly StateObject[], ReadonlyMap<string, StateObject>>()

/** Objects by key, computed once. */
function index(present: readonly StateObject[]): ReadonlyMap<string, StateObject> {
  const known = indexes.get(present) ?? new Map(present.map((object) => [object.key, object]))
  indexes.set(present, known)
  return known
}

function stepOf(found: StateObject | undefined, wanted: WantedObject, problems: Problems): Step[] {
  const { kind, path, label, values } = wanted
  if (found === undefined) {
    if (kind === 'rooms' && values.name !== undefined) {
      problems.add(`${path}.name`, message('desired-state.no-room'))
      return []
    }
    if (kind === 'rooms' && values.description == null) {
      problems.add(`${path}.description`, message('validation.required'))
      return []
    }
    return [{ kind, action: 'create', label, path, before: null, after: values }]
  }
  const changed = changedFields(found.values, values)
  for (const name of fixed[kind] ?? []) {
    if (name in changed) problems.add(`${path}.${name}`, message('desired-state.fixed'))
  }
  const names = Object.keys(changed)
  if (names.length === 0) return []
  const before = Object.fromEntries(names.map((name) => [name, pick(found.values[name], changed[name])]))
  return [{ kind, action: 'change', label: found.label, path, id: found.id, before, after: changed }]
}

/** Returns the fields that differ, with their wanted values. Lists are compared as sets. */
export function changedFields(present: Values, wanted: Values): Values {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
      const now = present[name] ?? null
      if (isGroup(value) && isGroup(now)) {
        const inner = changedFields(now, value)
        return Object.keys(inner).length === 0 ? [] : [[name, inner]]
      }
      return isSame(now, value ?? null) ? [] : [[name, value ?? null]]
    }),
  )
}

/** Of a group of fields, returns those that change. */
function pick(present: unknown, changed: unknown): unknown {
  if (!isGroup(present) || !isGroup(changed)) return present ?? null
  return Object.fromEntries(Object.keys(changed).map((name) => [name, present[name] ?? null]))
}

/** Whether two values are the same. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value.map(String))].sort() : value
}

function isGroup(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** New lists come after the new lists that are their members. */
function nestedFirst(steps: readonly Step[]): Step[] {
  const byAddress = new Map(steps.filter(({ id }) => id === undefined).map((step) => [step.label, step]))
  const ordered = new Set<Step>()
  const open: { step: Step; entered: boolean }[] = []
  const entered = new Set<Step>()
  for (const first of steps) {
    open.push({ step: first, entered: false })
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      const { step } = top
      if (top.entered) ordered.add(step)
      if (top.entered || entered.has(step)) continue
      entered.add(step)
      open.push({ step, entered: true })
      for (const member of membersOf(step)) {
        const nested = byAddress.get(member)
        // a loop is refused when the plan is applied
        if (nested !== undefined && !entered.has(nested)) open.push({ step: nested, entered: false })
      }
    }
  }
  return [...ordered]
}

function membersOf({ after }: Step): readonly string[] {
  const members = after?.members
  return Array.isArray(members) ? members.map(String) : []
}
