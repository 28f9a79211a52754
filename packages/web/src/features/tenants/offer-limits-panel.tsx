import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { discountRate, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { modes } from './catalogue/plan-values.ts'

/** What binds everybody who edits the offer of the tenant; the service itself has no such limits. */
export function OfferLimitsPanel({ tenant: { offerLimits: limits, wallet } }: { tenant: Tenant }) {
  const t = useT()
  if (limits === null) return null
  const allowed = modes.filter(({ mode }) => limits.planModes.includes(mode))
  return (
    <Panel title={t('offer.limits')} footer={t('offer.limitsText')}>
      <Facts
        facts={[
          { label: t('offer.limitModes'), value: allowed.map(({ label }) => t(label)).join(', ') },
          { label: t('offer.limitFreeMonths'), value: number(limits.freeMonths) },
          {
            label: t('offer.limitDiscount'),
            value: discountRate(limits.packageDiscount),
          },
          {
            label: t('offer.limitBelowFee'),
            value: t(limits.belowFee ? 'offer.allowed' : 'offer.notAllowed'),
          },
          { label: t('offer.limitDomains'), value: number(limits.publicDomains) },
          { label: t('offer.limitTokens'), value: number(limits.signupTokens) },
          { label: t('offer.limitAward'), value: price(limits.referralAward, wallet?.currency) },
        ]}
      />
    </Panel>
  )
}
