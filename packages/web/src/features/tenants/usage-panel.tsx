import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { balance, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'

/** Usage of a tenant's limits, and the balance of its wallet. */
export function UsagePanel({ tenant: { usage, limits, wallet } }: { tenant: Tenant }) {
  const t = useT()
  const currency = wallet?.currency ?? 'CHF'
  const of = (used: string, limit: string | null) =>
    limit === null ? t('tenants.noLimit', { used }) : t('words.usedOfLimit', { used, limit })
  return (
    <Panel title={t('tenants.usage')}>
      <Facts
        facts={[
          {
            label: t('words.users'),
            value: of(number(usage.users), limits.users === null ? null : number(limits.users)),
          },
          {
            label: t('tenants.storage'),
            value: of(
              t('tenants.gigabytes', { count: number(usage.storage) }),
              limits.storage === null ? null : t('tenants.gigabytes', { count: number(limits.storage) }),
            ),
          },
          {
            label: t('tenants.spend'),
            value: of(
              price(usage.spend, currency),
              limits.spend === null ? null : price(limits.spend, currency),
            ),
          },
          ...(wallet ? [{ label: t('words.wallet'), value: balance(wallet.balance, wallet.currency) }] : []),
        ]}
      />
    </Panel>
  )
}
