import type { Batch, BatchRow } from '@gatehouse/contract/directory/bulk'
import type { FirstLink, PeoplePreview } from '@gatehouse/contract/directory/people'
import type { PersonField } from '@gatehouse/contract/directory/person-headings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { batchQuery, forgetBatch, isOver } from '../../../domain/bulk/batch-calls.ts'
import { useQuote } from '../../../domain/quotes/use-quote.ts'
import { t } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { useRequestKey } from '../../../platform/api/request-key.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetLists } from '../user-calls.ts'
import { readPasted } from './paste.ts'
import {
  blankRow,
  isBlank,
  maxRows,
  type NamedPackage,
  pasteInto,
  type SheetRow,
  toPerson,
} from './sheet-rows.ts'

/** What the server said of the rows as they were. */
interface Answered {
  /** Keys of the rows that were asked about, in their order. */
  keys: readonly number[]
  preview: PeoplePreview
}

/** What became of the rows that were sent. */
export interface Created {
  batchId: string
  links: readonly FirstLink[]
}

export interface PeopleOptions {
  packages: readonly NamedPackage[]
  domain: string
}

/** Rows that a sheet begins with. */
const firstRows = 3

/** The sheet of new users: its rows, what the server says of them, and creating them. */
export function usePeople({ packages, domain }: PeopleOptions) {
  const client = useQueryClient()
  const requestKey = useRequestKey()
  const usual = packages[0]?.id ?? ''
  const lastKey = useRef(0)
  const nextKey = () => {
    lastKey.current += 1
    return lastKey.current
  }
  const fresh = () => Array.from({ length: firstRows }, () => blankRow(nextKey(), usual))
  const [rows, setRows] = useState<SheetRow[]>(fresh)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isSubmitted, setSubmitted] = useState(false)
  const [isSending, setSending] = useState(false)
  const [batchId, setBatchId] = useState<string>()
  const [created, setCreated] = useState<readonly Created[]>([])
  const [focusRequest, setFocusRequest] = useState(0)
  /** Keys of the rows that were sent, by their number in the batch. */
  const sent = useRef<readonly number[]>([])
  const running = useRef(false)

  const filled = rows.filter((row) => !isBlank(row))
  const people = filled.map((row) => toPerson(row, domain))
  const keys = filled.map(({ key }) => key)
  const ask = async (signal?: AbortSignal): Promise<Answered> => {
    const body = { people, dryRun: true }
    const { preview } = await call('POST /api/v4/users/batch', { body, signal, ignoreErrors: true })
    if (preview === undefined) throw new ApiError('', { status: 0 })
    return { keys, preview }
  }
  const quote = useQuote({
    name: 'price of new users',
    about: filled.length === 0 || batchId !== undefined ? undefined : JSON.stringify([keys, people]),
    ask,
  })

  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map())
  const batch = useQuery({ ...batchQuery(batchId ?? ''), enabled: batchId !== undefined })
  const over = batch.data !== undefined && isOver(batch.data.state)
  const finish = useEffectEvent((done: Batch) => void takeOutcome(done))
  useEffect(() => {
    if (over && batch.data) finish(batch.data)
  }, [over, batch.data])

  const takeOutcome = async (done: Batch) => {
    const params = { id: done.id }
    const [failed, links] = await Promise.all([
      done.counts.done === done.total ? [] : failedRows(done.id),
      done.counts.done === 0 ? undefined : call('GET /api/v4/batches/{id}/links', { params }),
    ])
    const problems = new Map(
      failed.map((row) => [sent.current[row.n - 1] ?? 0, row.messages.map(({ text }) => text).join(' ')]),
    )
    await forgetBatch(client, done)
    forgetLists(client)
    setFailures(problems)
    const rest = rows.filter((row) => problems.has(row.key))
    if (links && links.list.length > 0) {
      setCreated((before) => [...before, { batchId: done.id, links: links.list }])
    }
    setRows(rest.length > 0 ? rest : fresh())
    setTouched(new Set())
    setSubmitted(false)
    setBatchId(undefined)
    setSending(false)
    running.current = false
  }

  const submit = async () => {
    if (running.current) return
    setSubmitted(true)
    if (filled.length === 0) {
      setFocusRequest((count) => count + 1)
      return
    }
    running.current = true
    setSending(true)
    const stop = () => {
      running.current = false
      setSending(false)
      setFocusRequest((count) => count + 1)
    }
    try {
      // what is on the screen may be the answer to an earlier state of the sheet
      const { preview } = await ask()
      setFailures(new Map())
      if (preview.problem !== null || preview.rows.some(({ messages }) => messages.length > 0)) {
        await quote.retry()
        return stop()
      }
      const body = { people }
      const answer = await call('POST /api/v4/users/batch', { body, headers: requestKey(body) })
      if (answer.batch === undefined) return stop()
      sent.current = keys
      client.setQueryData(batchQuery(answer.batch.id).queryKey, answer.batch)
      setBatchId(answer.batch.id)
    } catch {
      // the call has told; what is wrong with a row shows at it
      void quote.retry()
      stop()
    }
  }

  const set = (key: number, field: PersonField, value: string) => {
    setRows((before) =>
      before.map((row) => (row.key === key ? { ...row, cells: { ...row.cells, [field]: value } } : row)),
    )
    setFailures((before) => new Map([...before].filter(([one]) => one !== key)))
  }

  return {
    rows,
    filled: filled.length,
    quote,
    batch: batch.data,
    created,
    busy: isSending,
    dirty: filled.length > 0,
    isSubmitted,
    focusRequest,
    set,
    /** A field was left: what is wrong with it shows from now on. */
    leave(key: number, field: PersonField) {
      setTouched((before) => new Set(before).add(`${key} ${field}`))
      const row = rows.find((one) => one.key === key)
      const person = row && toPerson(row, domain)
      if (field === 'email' && person?.email) set(key, field, person.email)
    },
    remove(key: number) {
      setRows((before) => {
        const rest = before.filter((row) => row.key !== key)
        return rest.length > 0 ? rest : fresh()
      })
    },
    /** One more row, with the package of the one above; undefined: there is no room. */
    add(): number | undefined {
      if (rows.length >= maxRows) return undefined
      const key = nextKey()
      setRows([...rows, blankRow(key, rows.at(-1)?.cells.package ?? usual)])
      return key
    },
    /** Fills rows with what is pasted into a field; false: it is a text for the field itself. */
    paste(key: number, field: PersonField, text: string): boolean {
      const names = packages.flatMap(({ name, title }) => [name, title])
      const pasted = readPasted(text, { at: field, packages: names })
      if (!pasted || pasted.people.length === 0) return false
      const packageId = rows.find((row) => row.key === key)?.cells.package ?? usual
      const { rows: next, left } = pasteInto(rows, {
        ...{ key, people: pasted.people, packages, packageId },
        nextKey,
      })
      setRows(next)
      setTouched(
        new Set([
          ...touched,
          ...next
            .filter((row) => !isBlank(row))
            .flatMap((row) => allFields.map((one) => `${row.key} ${one}`)),
        ]),
      )
      if (left > 0) toasts.warning(t('people.tooMany', { max: maxRows, left }))
      return true
    },
    submit,
    /** What the server says of a row, as far as it should be shown yet. */
    of(row: SheetRow): RowState {
      const at = quote.answer?.keys.indexOf(row.key) ?? -1
      const said = quote.answer?.preview.rows[at]
      const failure = failures.get(row.key)
      if (said === undefined || isBlank(row)) return { errors: {}, monthly: undefined, failure }
      const errors: RowState['errors'] = {}
      for (const { field, text } of said.messages) {
        const name = allFields.find((one) => one === field) ?? 'email'
        const isShown = isSubmitted || touched.has(`${row.key} ${name}`)
        if (isShown && errors[name] === undefined) errors[name] = text
      }
      return { errors, monthly: said.monthly, failure }
    },
  }
}

/** The rows of a batch that could not be created, each with the reason. */
async function failedRows(id: string): Promise<BatchRow[]> {
  const found: BatchRow[] = []
  for (let page = 1; ; page += 1) {
    const query = { page, size: 100, state: 'failed' } as const
    const { list, hasMore } = await call('GET /api/v4/batches/{id}/rows', { params: { id }, query })
    found.push(...list)
    if (!hasMore) return found
  }
}

export interface RowState {
  errors: Partial<Record<PersonField, string>>
  /** Cents a month; null: the row isn't right; undefined: not known yet. */
  monthly: number | null | undefined
  /** Why the row could not be created. */
  failure: string | undefined
}

const allFields = [
  'first_name',
  'last_name',
  'email',
  'package',
  'quota',
  'external_email',
] as const satisfies readonly PersonField[]

export type People = ReturnType<typeof usePeople>
