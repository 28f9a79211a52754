import type { BulkPrice } from '@gatehouse/contract/directory/bulk'
import { number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'

/** The account's monthly cost before and after, and what is due immediately. */
export function CostLines({ of: { currency, discount, monthly, dueNow } }: { of: BulkPrice }) {
  const t = useT()
  return (
    <>
      <Facts
        facts={[
          { label: t('bulk.monthlyNow'), value: price(monthly.now, currency) },
          { label: t('bulk.monthlyNext'), value: <b>{price(monthly.next, currency)}</b> },
          { label: t('bulk.dueNow'), value: price(dueNow, currency) },
        ]}
      />
      {discount > 0 && <p className="small text-3">{t('bulk.discount', { percent: number(discount) })}</p>}
    </>
  )
}
