import { hour } from '../../platform/clock.ts'
import { actionOf, type Reason, reasons } from '../reasons.ts'
import type { DecisionRow } from './traced-rows.ts'

/** Seconds within which a delayed message is expected to be sent again. */
export const retryGap = 8 * hour

/**
 * Groups decisions into messages, newest message first, each with its decisions from the oldest to the newest. Decisions
 * with the same queue id belong together. Those without one belong to the decisions about the same sender and recipient
 * before them: while the message is delayed, or as long as no policy decides a second time.
 */
export function groupMessages(rows: readonly DecisionRow[]): DecisionRow[][] {
  const groups = new Groups()
  const chains = new Map<string, Chain>()
  for (const row of [...rows].sort(byTime)) {
    groups.add(row)
    const key = JSON.stringify([row.direction, row.sender, row.recipient])
    const chain = chains.get(key)
    if (chain?.takes(row)) {
      groups.join(row, chain.last)
      chain.append(row)
    } else {
      chains.set(key, new Chain(row))
    }
  }
  return groups.all().sort((one, other) => byTime(newest(other), newest(one)))
}

/** Order of decisions by time, then id. */
export function byTime(one: DecisionRow, other: DecisionRow): number {
  return one.decidedAt.getTime() - other.decidedAt.getTime() || (one.id < other.id ? -1 : 1)
}

function newest(group: readonly DecisionRow[]): DecisionRow {
  const last = group.at(-1)
  if (last === undefined) throw new Error('a message has at least one decision')
  return last
}

/** What a mail server does for a stored reason; reasons of other versions accept. */
export function storedAction(reason: string) {
  return isReason(reason) ? actionOf(reason) : 'accept'
}

/** Whether a stored reason is known to this version. */
export function isReason(reason: string): reason is Reason {
  return Object.hasOwn(reasons, reason)
}

/** Decisions about one message for one recipient. */
class Chain {
  last: DecisionRow
  #queueId: string | null
  /** Policies that have decided finally. */
  readonly #decided = new Set<string>()

  constructor(first: DecisionRow) {
    this.last = first
    this.#queueId = first.queueId
    this.#note(first)
  }

  takes(row: DecisionRow): boolean {
    if (row.queueId !== null && this.#queueId !== null) return row.queueId === this.#queueId
    if (row.decidedAt.getTime() - this.last.decidedAt.getTime() > retryGap * 1000) return false
    return !this.#decided.has(row.policy)
  }

  append(row: DecisionRow): void {
    this.last = row
    this.#queueId ??= row.queueId
    this.#note(row)
  }

  /** A deferred message is sent again, and then all policies are asked again. */
  #note(row: DecisionRow): void {
    if (storedAction(row.reason) === 'defer') this.#decided.clear()
    else this.#decided.add(row.policy)
  }
}

/** Sets of decisions that are united; union by root. */
class Groups {
  readonly #rows: DecisionRow[] = []
  readonly #parents = new Map<string, string>()
  readonly #ofQueue = new Map<string, DecisionRow>()

  add(row: DecisionRow): void {
    this.#rows.push(row)
    this.#parents.set(row.id, row.id)
    if (row.queueId === null) return
    const first = this.#ofQueue.get(row.queueId)
    if (first === undefined) this.#ofQueue.set(row.queueId, row)
    else this.join(row, first)
  }

  join(row: DecisionRow, other: DecisionRow): void {
    this.#parents.set(this.#root(row.id), this.#root(other.id))
  }

  all(): DecisionRow[][] {
    const groups = new Map<string, DecisionRow[]>()
    for (const row of this.#rows) {
      const root = this.#root(row.id)
      const group = groups.get(root)
      if (group === undefined) groups.set(root, [row])
      else group.push(row)
    }
    return [...groups.values()]
  }

  #root(id: string): string {
    let root = id
    for (let next = this.#parents.get(root); next !== undefined && next !== root; ) {
      root = next
      next = this.#parents.get(root)
    }
    this.#parents.set(id, root)
    return root
  }
}
