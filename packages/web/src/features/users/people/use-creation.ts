import type { Batch, BatchRow } from '@gatehouse/contract/directory/bulk'
import type { FirstLink } from '@gatehouse/contract/directory/people'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { batchQuery, forgetBatch, isOver } from '../../../domain/bulk/batch-calls.ts'
import { t } from '../../../i18n/i18n.ts'
import { type CallOptions, call } from '../../../platform/api/api.ts'
import { useRequestKey } from '../../../platform/api/request-key.ts'
import { navigation } from '../../../platform/navigation/navigation.ts'
import { forgetLists } from '../user-calls.ts'

/** Users created by one submission. */
export interface Created {
  batchId: string
  links: readonly FirstLink[]
}

export interface Outcome {
  created: Created | undefined
  /** Errors of rows that weren't created, by key. */
  failures: ReadonlyMap<number, string>
}

type Body = NonNullable<CallOptions<'POST /api/v4/users/batch'>['body']>

/** Submits rows for creation exactly once, follows the job, and reports the outcome of each row. */
export function useCreation(onOutcome: (outcome: Outcome) => void) {
  const client = useQueryClient()
  const requestKey = useRequestKey()
  const [batchId, setBatchId] = useState<string>()
  const [isSending, setSending] = useState(false)
  /** Keys of the submitted rows, by row number in the batch. */
  const sent = useRef<readonly number[]>([])
  const running = useRef(false)
  const batch = useQuery({ ...batchQuery(batchId ?? ''), enabled: batchId !== undefined })
  const done = batch.data !== undefined && isOver(batch.data.state) ? batch.data : undefined

  const stop = () => {
    running.current = false
    setSending(false)
    setBatchId(undefined)
  }
  const finish = useEffectEvent(async () => {
    if (!done) return
    try {
      const outcome = await readOutcome(done, sent.current)
      await forgetBatch(client, done)
      forgetLists(client)
      onOutcome(outcome)
    } catch {
      // the batch page also shows the outcome of each row
      navigation().go(`/import/${done.id}`)
    } finally {
      stop()
    }
  })
  const doneId = done?.id
  useEffect(() => {
    if (doneId !== undefined) void finish()
  }, [doneId])

  return {
    batch: batchId === undefined ? undefined : batch.data,
    isSending,
    /** `check` returns whether the rows are valid. Resolves to false if nothing was sent. */
    async send(
      keys: readonly number[],
      people: Body['people'],
      check: () => Promise<boolean>,
    ): Promise<boolean> {
      if (running.current) return true
      running.current = true
      setSending(true)
      try {
        const body = { people }
        const answer = (await check())
          ? await call('POST /api/v4/users/batch', { body, headers: requestKey(body) })
          : undefined
        if (answer?.batch) {
          sent.current = keys
          client.setQueryData(batchQuery(answer.batch.id).queryKey, answer.batch)
          setBatchId(answer.batch.id)
          return true
        }
      } catch {
        // the call reported the error; row errors are shown in their rows
      }
      stop()
      return false
    },
  }
}

async function readOutcome(done: Batch, keys: readonly number[]): Promise<Outcome> {
  const { counts, total, id } = done
  const [left, links] = await Promise.all([
    counts.done === total ? [] : leftRows(id),
    counts.done === 0 ? undefined : call('GET /api/v4/batches/{id}/links', { params: { id } }),
  ])
  const failures = left.map(({ n, messages }): [number, string] => [
    keys[n - 1] ?? 0,
    messages.map(({ text }) => text).join(' ') || t('people.stopped'),
  ])
  return { created: links && { batchId: id, links: links.list }, failures: new Map(failures) }
}

/** Returns the rows of a batch that weren't created, with reasons. */
async function leftRows(id: string): Promise<BatchRow[]> {
  const found: BatchRow[] = []
  for (let page = 1; ; page += 1) {
    const query = { page, size: 100 }
    const { list, hasMore } = await call('GET /api/v4/batches/{id}/rows', { params: { id }, query })
    found.push(...list.filter(({ state }) => state !== 'done'))
    if (!hasMore) return found
  }
}
