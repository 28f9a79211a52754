import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { utc } from '@gatehouse/contract/events'
import type { mailTraceRoutes, TracedMessage } from '@gatehouse/contract/mail/mail-trace'
import type { z } from 'zod'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { cursorText, isAfter, type MessageCursor, readCursor } from './message-cursor.ts'
import { byTime, groupMessages } from './message-groups.ts'
import { presentMessage } from './present-message.ts'
import {
  readDecisions,
  readLogSteps,
  readNeighbours,
  type TraceFilter,
  type TraceScope,
} from './trace-store.ts'
import type { DecisionRow, LogRow } from './traced-rows.ts'

type Query = z.output<(typeof mailTraceRoutes)['GET /api/v4/mail/messages']['query']>

export interface MessagePage {
  readonly list: TracedMessage[]
  readonly next: string | null
}

const usualSize = 20
/** Decisions read at once, and how often at most: rare outcomes are found by several requests. */
const batchSize = 200
const mostBatches = 5

/** Finds messages by the decisions about them and the logs of mail servers. */
export class MailTrace {
  readonly #db: Db
  readonly #decisions: Pick<DecisionLog, 'storedAddress'>

  constructor({
    db,
    decisions,
  }: { readonly db: Db; readonly decisions: Pick<DecisionLog, 'storedAddress'> }) {
    this.#db = db
    this.#decisions = decisions
  }

  /** Returns a page of messages, newest first. */
  async messages(scope: TraceScope, query: Query): Promise<MessagePage> {
    const filter = this.#filter(query)
    const size = query.size ?? usualSize
    const found: { message: TracedMessage; place: MessageCursor }[] = []
    let cursor = readCursor(query.after)
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const rows = await readDecisions(this.#db, scope, filter, { cursor, limit: batchSize })
      found.push(...(await this.#messagesOf(scope, filter, rows, cursor)))
      const last = rows.at(-1)
      cursor = last === undefined ? undefined : placeOf(last)
      if (rows.length < batchSize) cursor = undefined
      if (cursor === undefined || found.length > size) break
    }
    const page = found.slice(0, size)
    const end = found.length > size ? page.at(-1)?.place : cursor
    return { list: page.map(({ message }) => message), next: end === undefined ? null : cursorText(end) }
  }

  /** The messages whose newest matching decision is one of the rows. */
  async #messagesOf(
    scope: TraceScope,
    filter: TraceFilter,
    rows: readonly DecisionRow[],
    cursor: MessageCursor | undefined,
  ) {
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return []
    const near = await readNeighbours(this.#db, scope, filter, rows)
    const all = await readNeighbours(this.#db, scope, filter, unique([...rows, ...near]))
    const placed = groupMessages(unique([...rows, ...near, ...all])).flatMap((group) => {
      const newest = group.findLast(({ isMatch }) => isMatch)
      const place = newest && placeOf(newest)
      const isHere = place !== undefined && (cursor === undefined || isAfter(place, cursor))
      return isHere && !isAfter(place, placeOf(last)) ? [{ group, place }] : []
    })
    const logs = await this.#logsOf(placed.map(({ group }) => group))
    return placed
      .sort((one, other) => (isAfter(one.place, other.place) ? 1 : -1))
      .map(({ group, place }) => ({ message: presentMessage(group, logs), place }))
      .filter(({ message }) => filter.outcome === undefined || message.outcome === filter.outcome)
  }

  async #logsOf(groups: readonly (readonly DecisionRow[])[]): Promise<ReadonlyMap<string, LogRow[]>> {
    const rows = groups.flat().filter(({ queueId }) => queueId !== null)
    const sorted = [...rows].sort(byTime)
    const [from, to] = [sorted[0]?.decidedAt, sorted.at(-1)?.decidedAt]
    if (from === undefined || to === undefined) return new Map()
    const queueIds = [...new Set(rows.flatMap(({ queueId }) => queueId ?? []))]
    const logs = new Map(queueIds.map((id) => [id, [] as LogRow[]]))
    for (const step of await readLogSteps(this.#db, queueIds, { from, to })) {
      logs.get(step.rootQueueId)?.push(step)
    }
    return logs
  }

  #filter({ person, direction, outcome, from, to }: Query): TraceFilter {
    const text = person?.trim() ?? ''
    const address = canonicalAddress(text)
    return {
      person:
        text === ''
          ? undefined
          : { part: address, stored: [address, this.#decisions.storedAddress(address, false)] },
      direction: direction ?? undefined,
      outcome: outcome ?? undefined,
      from: from == null ? undefined : new Date(utc(from)),
      // a date includes its whole day, a time its second
      to: to == null ? undefined : after(new Date(utc(to)), to.length === 10 ? day : 1),
    }
  }
}

function placeOf({ decidedAt, id }: DecisionRow): MessageCursor {
  return { at: decidedAt, id }
}

function unique(rows: readonly DecisionRow[]): DecisionRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
