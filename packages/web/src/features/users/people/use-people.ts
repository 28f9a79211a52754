import type { PeoplePreview } from '@gatehouse/contract/directory/people'
import { type PersonField, personFields } from '@gatehouse/contract/directory/person-headings'
import { useState } from 'react'
import { useQuote } from '../../../domain/quotes/use-quote.ts'
import { t } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { toasts } from '../../../ui/toasts/store.ts'
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
import { type Created, useCreation } from './use-creation.ts'

/** What the server said of the rows as they were. */
interface Answered {
  /** Keys of the rows that were asked about, in their order. */
  keys: readonly number[]
  preview: PeoplePreview
}

/** What is known of one row. */
export interface RowState {
  errors: Partial<Record<PersonField, string>>
  /** Cents a month; null: the row isn't right; undefined: not known yet. */
  monthly: number | null | undefined
  /** Why the row could not be created. */
  failure: string | undefined
}

export interface PeopleOptions {
  packages: readonly NamedPackage[]
  /** Completes addresses that have none. */
  domain: string
}

/** Rows that a sheet begins with. */
const firstRows = 3

/** Numbers that are used once, so that React knows each row. */
function keyMaker(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

/** The sheet of new users: its rows, what the server says of them, and creating them. */
export function usePeople({ packages, domain }: PeopleOptions) {
  const usual = packages[0]?.id ?? ''
  const [nextKey] = useState(keyMaker)
  const fresh = () => Array.from({ length: firstRows }, () => blankRow(nextKey(), usual))
  const [rows, setRows] = useState<SheetRow[]>(fresh)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isSubmitted, setSubmitted] = useState(false)
  const [focusRequest, setFocusRequest] = useState(0)
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map())
  const [created, setCreated] = useState<readonly Created[]>([])
  const creation = useCreation((outcome) => {
    const left = rows.filter((row) => outcome.failures.has(row.key))
    setRows(left.length > 0 ? left : fresh())
    setFailures(outcome.failures)
    setTouched(new Set())
    setSubmitted(false)
    const { created: made } = outcome
    if (made) setCreated((before) => [...before, made])
  })

  const filled = rows.filter((row) => !isBlank(row))
  const people = filled.map((row) => toPerson(row, domain))
  const keys = filled.map(({ key }) => key)
  const ask = async (signal?: AbortSignal): Promise<Answered> => {
    const body = { people, dryRun: true }
    const { preview } = await call('POST /api/v4/users/batch', { body, signal, ignoreErrors: true })
    if (preview === undefined) throw new ApiError('', { status: 0 })
    return { keys, preview }
  }
  const isIdle = filled.length > 0 && creation.batch === undefined
  const quote = useQuote({
    name: 'price of new users',
    about: isIdle ? JSON.stringify([keys, people]) : undefined,
    ask,
  })

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
    created,
    isSubmitted,
    /** Grows when the first field that is wrong should have the focus. */
    focusRequest,
    batch: creation.batch,
    busy: creation.isSending,
    dirty: filled.length > 0,
    set,
    /** A field was left: what is wrong with it shows from now on, and its address becomes a whole one. */
    leave(key: number, field: PersonField) {
      setTouched((before) => new Set(before).add(`${key} ${field}`))
      const row = rows.find((one) => one.key === key)
      const email = row && toPerson(row, domain).email
      if (field === 'email' && email && email !== row.cells.email) set(key, field, email)
    },
    remove(key: number) {
      const rest = rows.filter((row) => row.key !== key)
      setRows(rest.length > 0 ? rest : fresh())
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
      const paste = { key, people: pasted.people, packages, packageId, nextKey }
      const { rows: next, left } = pasteInto(rows, paste)
      setRows(next)
      const all = next
        .filter((row) => !isBlank(row))
        .flatMap((row) => personFields.map((one) => `${row.key} ${one}`))
      setTouched(new Set([...touched, ...all]))
      if (left > 0) toasts.warning(t('people.tooMany', { max: maxRows, left }))
      return true
    },
    async submit() {
      setSubmitted(true)
      const isSent =
        filled.length > 0 &&
        (await creation.send(keys, people, async () => {
          // what is on the screen may be the answer to an earlier state of the sheet
          const { preview } = await ask()
          return preview.problem === null && preview.rows.every(({ messages }) => messages.length === 0)
        }))
      if (isSent) return
      if (filled.length > 0) await quote.retry()
      setFocusRequest((count) => count + 1)
    },
    /** What the server says of a row, as far as it should be shown yet. */
    of(row: SheetRow): RowState {
      const at = quote.answer?.keys.indexOf(row.key) ?? -1
      const said = quote.answer?.preview.rows[at]
      const failure = failures.get(row.key)
      if (said === undefined || isBlank(row)) return { errors: {}, monthly: undefined, failure }
      const errors: RowState['errors'] = {}
      for (const { field, text } of said.messages) {
        const name = personFields.find((one) => one === field) ?? 'email'
        const isShown = isSubmitted || touched.has(`${row.key} ${name}`)
        if (isShown && errors[name] === undefined) errors[name] = text
      }
      return { errors, monthly: said.monthly, failure }
    },
  }
}

export type People = ReturnType<typeof usePeople>
