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

/** Server response for a state of the rows. */
interface Answered {
  /** Keys of the requested rows, in order. */
  keys: readonly number[]
  preview: PeoplePreview
}

/** State of a row. */
export interface RowState {
  errors: Partial<Record<PersonField, string>>
  /** Cents per month; null: invalid row; undefined: not known yet. */
  monthly: number | null | undefined
  /** Why the row wasn't created. */
  failure: string | undefined
}

export interface PeopleOptions {
  packages: readonly NamedPackage[]
  /** Appended to addresses without a domain. */
  domain: string
}

/** Initial number of rows. */
const firstRows = 3

/** Generates unique keys for React. */
function keyMaker(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

/** The sheet of new users: rows, server responses and creation. */
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
    /** Incremented to focus the first invalid field. */
    focusRequest,
    batch: creation.batch,
    busy: creation.isSending,
    dirty: filled.length > 0,
    set,
    /** Handles leaving a field: shows its errors from now on and completes its address. */
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
    /** Adds a row with the package of the one above; undefined: the sheet is full. */
    add(): number | undefined {
      if (rows.length >= maxRows) return undefined
      const key = nextKey()
      setRows([...rows, blankRow(key, rows.at(-1)?.cells.package ?? usual)])
      return key
    },
    /** Fills rows with text pasted into a field; false: it is text for the field itself. */
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
          // the response on screen may be for an earlier state of the sheet
          const { preview } = await ask()
          return preview.problem === null && preview.rows.every(({ messages }) => messages.length === 0)
        }))
      if (isSent) return
      if (filled.length > 0) await quote.retry()
      setFocusRequest((count) => count + 1)
    },
    /** Returns the server's response for a row, as far as it should be shown yet. */
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
