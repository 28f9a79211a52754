import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { PeoplePreview, PersonInput } from '@gatehouse/contract/directory/people'
import type { Language } from '@gatehouse/contract/language'
import type { Person } from '../../platform/http/callers/principal.ts'
import { type Message, ValidationError } from '../../platform/http/errors.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { ceilingProblem } from '../../subscriptions/ceiling.ts'
import { monthlyCharge } from '../../subscriptions/prices/pricing.ts'
import type { RowMessage } from '../batch.ts'
import { bulkPriceOf } from '../bulk-price.ts'
import { tryRows, type UserImportParts } from '../import/import-users.ts'
import { repetitions } from '../import/read-upload.ts'
import { presentMessage } from '../present.ts'

/** A sheet's row as stored in a batch. */
export interface SheetRow {
  readonly label: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Preview of creating a sheet's users. */
export interface TriedSheet {
  readonly rows: readonly { readonly messages: readonly RowMessage[]; readonly monthly: number | null }[]
  readonly price: PeoplePreview['price']
  readonly monthly: number
  readonly problem: Message | undefined
}

/** The rows of a sheet, with blank cells removed. */
export function sheetRows(people: readonly PersonInput[]): SheetRow[] {
  return people.map((person) => {
    const cells = Object.fromEntries(
      Object.entries(person).map(([name, text]) => [name, text == null || text.trim() === '' ? null : text]),
    )
    return { label: person.email?.trim() ?? '', input: { ...cells, aliases: [] } }
  })
}

/** Validates each row like a single new user, and sums up the price of valid ones. Throws Forbidden. */
export async function tryPeople(
  parts: UserImportParts,
  person: Person,
  account: { readonly walletId: string; readonly language: Language },
  rows: readonly SheetRow[],
): Promise<TriedSheet> {
  const { walletId, language } = account
  const seen = new Map<string, number>()
  const repeated = rows.map(({ label }, index) =>
    repetitions(index + 1, { addresses: label === '' ? [] : [canonicalAddress(label)] }, seen),
  )
  const tried = await tryRows(parts, person, { walletId, language, params: {} }, rows)
  const found = tried.map(({ messages, costs }, index) => {
    const twice = (repeated[index] ?? []).map((one) => ({ ...one, field: 'email' }))
    const all = [...messages, ...twice]
    return { messages: all, costs: all.length > 0 ? [] : costs }
  })
  const added = found.flatMap(({ costs }) => costs)
  const price = await bulkPriceOf(parts.db, walletId, { removed: [], added }, parts.clock.now())
  return {
    rows: found.map(({ messages, costs }) => ({
      messages,
      monthly: messages.length > 0 ? null : monthlyCharge(costs, price.discount),
    })),
    price,
    monthly: monthlyCharge(added, price.discount),
    problem: await ceilingProblem(parts.db, walletId, price.monthly.next, language),
  }
}

/** Throws ValidationError at invalid rows, or at the sheet. */
export function requireRight({ rows, problem }: TriedSheet): void {
  const wrong = rows.flatMap(({ messages: [first] }, index): [number, Message][] =>
    first === undefined ? [] : [[index, first]],
  )
  if (wrong.length > 0) throw new ValidationError({ people: new Map(wrong) })
  if (problem !== undefined) throw new ValidationError({ people: problem })
}

export function presentSheet({ rows, price, monthly, problem }: TriedSheet, t: Translate): PeoplePreview {
  return {
    rows: rows.map((row) => ({
      monthly: row.monthly,
      messages: row.messages.map((one) => presentMessage(one, t)),
    })),
    price,
    monthly,
    problem: problem === undefined ? null : t(problem.key, problem.params),
  }
}
