import type { PlanMode } from '@gatehouse/contract/signup'
import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { readAmount, writeAmount } from '../../domain/wallet/amounts.ts'
import { t } from '../../i18n/i18n.ts'
import { refuse } from './field-fault.ts'
import { readCount } from './read-number.ts'

const counts = ['users', 'storage', 'freeMonths', 'packageDiscount', 'publicDomains', 'signupTokens'] as const
const amounts = ['spend', 'referralAward'] as const
const texts = [...counts, ...amounts]

/** Form values of a tenant's limits; empty: none, or the default. */
export type LimitValues = Record<(typeof texts)[number], string> &
  Record<PlanMode, boolean> & { belowFee: boolean }

const planModes: readonly PlanMode[] = ['email', 'token', 'mandate']

export function limitValues({ limits, offerLimits }: Tenant): LimitValues {
  const count = (value: number | null | undefined) => (value == null ? '' : String(value))
  const amount = (value: number | null | undefined) => (value == null ? '' : writeAmount(value))
  const allows = (mode: PlanMode) => offerLimits?.planModes.includes(mode) ?? true
  return {
    users: count(limits.users),
    storage: count(limits.storage),
    spend: amount(limits.spend),
    freeMonths: count(offerLimits?.freeMonths),
    packageDiscount: count(offerLimits?.packageDiscount),
    publicDomains: count(offerLimits?.publicDomains),
    signupTokens: count(offerLimits?.signupTokens),
    referralAward: amount(offerLimits?.referralAward),
    belowFee: offerLimits?.belowFee ?? true,
    ...{ email: allows('email'), token: allows('token'), mandate: allows('mandate') },
  }
}

/** Returns the changed limits in the API format; omitted ones stay. Throws FieldFault. */
export function readLimits(values: LimitValues, before: LimitValues) {
  const changed = texts.filter((key) => values[key].trim() !== before[key])
  const read = changed.map((key) => {
    const text = values[key].trim()
    const isAmount = amounts.some((one) => one === key)
    return [key, text === '' ? null : isAmount ? readAmount(text) : readCount(text)] as const
  })
  const modes = planModes.filter((mode) => values[mode])
  refuse({
    ...Object.fromEntries(
      read.map(([key, value]) => [key, value === undefined ? t('tenants.faultCount') : undefined]),
    ),
    planModes: modes.length === 0 ? t('offer.faultModes') : undefined,
  })
  return {
    ...Object.fromEntries(read),
    ...(planModes.some((mode) => values[mode] !== before[mode]) && { planModes: modes }),
    ...(values.belowFee !== before.belowFee && { belowFee: values.belowFee }),
  }
}
