import type { PlanMode } from '@gatehouse/contract/signup'
import type { MessageKey } from '../../../i18n/areas.ts'
import { t } from '../../../i18n/i18n.ts'
import { refuse } from '../field-fault.ts'
import { readTexts, type TextValues, textValues } from '../localised-texts.ts'
import { readCount } from '../read-number.ts'
import type { Catalogue, Plan } from './catalogue-query.ts'

/** Form values of a plan. */
export type PlanValues = TextValues & {
  title: string
  mode: string
  months: string
  freeMonths: string
  hidden: boolean
  packages: string[]
}

export const modes: readonly { mode: PlanMode; label: MessageKey; text: MessageKey }[] = [
  { mode: 'email', label: 'offer.modeEmail', text: 'offer.modeEmailText' },
  { mode: 'token', label: 'offer.modeToken', text: 'offer.modeTokenText' },
  { mode: 'mandate', label: 'offer.modeMandate', text: 'offer.modeMandateText' },
]

export const modeLabels: Readonly<Record<PlanMode, MessageKey>> = {
  email: 'offer.modeEmail',
  token: 'offer.modeToken',
  mandate: 'offer.modeMandate',
}

/** Why a mode can't be chosen; undefined if it can. */
export function modeObstacle(mode: PlanMode, { limits, takesPayments }: Catalogue): MessageKey | undefined {
  if (limits && !limits.planModes.includes(mode)) return 'offer.modeForbidden'
  return mode === 'mandate' && !takesPayments ? 'offer.modeUnpayable' : undefined
}

export function planValues(plan?: Plan): PlanValues {
  return {
    title: plan?.title ?? '',
    mode: plan?.mode ?? 'email',
    months: String(plan?.months ?? 1),
    freeMonths: String(plan?.freeMonths ?? 0),
    hidden: plan?.hidden ?? false,
    packages: [...(plan?.packages ?? [])],
    ...textValues(plan),
  }
}

/** Converts form values to the API format. Throws FieldFault. */
export function readPlan(values: PlanValues) {
  const { title: _, mode: wanted, months, freeMonths: free, hidden, packages, ...texts } = values
  const { mode = 'email' } = modes.find((one) => one.mode === wanted) ?? {}
  const freeMonths = readCount(free) ?? (free.trim() === '' ? 0 : undefined)
  refuse({ freeMonths: freeMonths === undefined || freeMonths > 36 ? t('offer.faultMonths') : undefined })
  return {
    ...readTexts(texts),
    mode,
    months: Number(months),
    freeMonths: freeMonths ?? 0,
    hidden,
    packages: [...packages],
  }
}
