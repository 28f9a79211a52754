import type { MailFilters, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import { useAct } from '../../platform/api/use-act.ts'
import type { WireErrors } from '../../ui/form/field-errors.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'

/** Form values; empty texts stand for null. */
export interface FilterValues {
  isEnabled: boolean
  from: string
  until: string
  timeZone: string
  subject: string
  text: string
  days: string
  audience: string
  addresses: string[]
  rules: MailFilters['rules']
}

/** The form of a user's filters. */
export function useFilterForm(userId: string, filters: MailFilters): Form<FilterValues> {
  const save = useAct('PUT /api/v4/users/{id}/mail-filters', ['GET /api/v4/users/{id}/mail-filters'])
  const form: Form<FilterValues> = useForm<FilterValues>({
    initial: valuesOf(filters),
    prefix: 'mail-filters-',
    placeErrors,
    submit: async (values) => {
      const body = { ...wireOf(values), revision: filters.revision }
      await save({ params: { id: userId }, body })
      form.reset(values)
    },
  })
  return form
}

/** Returns the form values of stored filters. */
export function valuesOf({ rules, outOfOffice }: MailFilters): FilterValues {
  const { from, until, subject, text, days, addresses, ...others } = outOfOffice
  return {
    ...others,
    ...{ from: from ?? '', until: until ?? '', subject: subject ?? '', text: text ?? '' },
    ...{ days: String(days), addresses: [...addresses], rules: [...rules] },
    timeZone: outOfOffice.isEnabled || outOfOffice.text ? outOfOffice.timeZone : ownTimeZone(),
  }
}

/** Returns what the server gets. */
export function wireOf({ rules, ...reply }: FilterValues) {
  const outOfOffice: OutOfOffice = {
    ...{ isEnabled: reply.isEnabled, timeZone: reply.timeZone, addresses: reply.addresses },
    ...{ from: reply.from || null, until: reply.until || null },
    ...{ subject: reply.subject.trim() || null, text: reply.text.trim() || null },
    ...{ days: Number(reply.days), audience: audienceOf(reply.audience) },
  }
  return { rules, outOfOffice }
}

function audienceOf(text: string): OutOfOffice['audience'] {
  return text === 'known' || text === 'organisation' ? text : 'everyone'
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The server reports errors of the reply by its fields. */
function placeErrors(errors: Readonly<Record<string, WireErrors>>): Record<string, WireErrors> {
  const { outOfOffice, ...others } = errors
  if (outOfOffice === undefined) return others
  const isMap = (wrong: WireErrors): wrong is Readonly<Record<string, string | readonly string[]>> =>
    typeof wrong === 'object' && !Array.isArray(wrong)
  return isMap(outOfOffice) ? { ...others, ...outOfOffice } : { ...others, text: outOfOffice }
}
