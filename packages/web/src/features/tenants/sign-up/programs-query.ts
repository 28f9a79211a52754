import type { ManagedProgram } from '@gatehouse/contract/staff/tenant-sign-up'
import { readAmount, writeAmount } from '../../../domain/wallet/amounts.ts'
import { t } from '../../../i18n/i18n.ts'
import { apiQuery } from '../../../platform/api/query.tsx'
import { refuse } from '../field-fault.ts'
import { readTexts, type TextValues, textValues } from '../localised-texts.ts'

/** Referral programmes of a tenant. */
export function programsQuery(tenant: number) {
  return apiQuery('GET /api/v4/tenants/{id}/referral-programs', { params: { id: String(tenant) } })
}

/** Form values of a programme. */
export type ProgramValues = TextValues & {
  award: string
  threshold: string
  discount: string
  active: boolean
}

export function programValues(program?: ManagedProgram): ProgramValues {
  return {
    award: program ? writeAmount(program.award) : '',
    threshold: program ? writeAmount(program.threshold) : '',
    discount: program?.discount?.id ?? '',
    active: program?.active ?? true,
    ...textValues(program),
  }
}

/** Converts form values to the API format. Throws FieldFault. */
export function readProgram(values: ProgramValues) {
  const { award: high, threshold: least, discount, active, ...texts } = values
  const [award, threshold] = [readAmount(high), readAmount(least)]
  refuse({
    award: award === undefined ? t('offer.faultAmount') : undefined,
    threshold: threshold === undefined ? t('offer.faultAmount') : undefined,
  })
  return {
    ...readTexts(texts),
    ...{ award: award ?? 0, threshold: threshold ?? 0, active },
    discount: discount || null,
  }
}
