import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { discountRate, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { modes } from './catalogue/plan-values.ts'

/** Limits for everyone who edits the tenant's offer; the service itself has none. */
export function OfferLimitsPanel({ tenant: { offerLimits: limits, wallet } }: { tenant: Tenant }) {
  const t = useT()
  if (limits === null) return null
  const allowed = modes.filter(({ mode }) => limits.planModes.includes(mode))
  return (
    <Panel title={t('offer.limits')} footer={t('offer.limitsText')}>
      <Facts
        facts={[
          { label: t('words.planModes'), value: allowed.map(({ label }) => t(label)).join(', ') },
          { label: t('offer.limitFreeMonths'), value: number(limits.freeMonths) },
          {
            label: t('words.packageDiscount'),
            value: discountRate(limits.packageDiscount),
          },
          {
            label: t('words.pricesBelowTheFee'),
            value: t(limits.belowFee ? 'offer.allowed' : 'offer.notAllowed'),
          },
          { label: t('words.publicDomains'), value: number(limits.publicDomains) },
          { label: t('words.usableSignupTokens'), value: number(limits.signupTokens) },
          { label: t('words.referralAward'), value: price(limits.referralAward, wallet?.currency) },
        ]}
      />
    </Panel>
  )
}
