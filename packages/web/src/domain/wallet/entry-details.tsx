import type { Transaction } from '@gatehouse/contract/billing/wallets'
import { useState } from 'react'
import { day, price, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'

/** Lines shown initially; a charge of a large account has thousands. */
const most = 50

/** The lines of an entry. */
export function EntryDetails({ id, entry }: { id: string; entry: Transaction }) {
  const t = useT()
  const [all, setAll] = useState(false)
  const { data, isError, refetch } = useApi(
    'GET /api/v4/wallets/{id}/transactions',
    {
      params: { id },
      query: { transaction: entry.id },
    },
    {
      // entries are immutable
      staleTime: Number.POSITIVE_INFINITY,
    },
  )
  if (isError) return <LoadFailed onRetry={refetch} />
  if (!data) {
    return (
      <Loading>
        <div className="stack stack-tight">
          <Skeleton width="46%" height={13} />
          <Skeleton width="52%" height={13} />
        </div>
      </Loading>
    )
  }
  if (data.list.length === 0) return <p className="small text-2">{t('wallet.detailsNone')}</p>
  return (
    <>
      <ul className="wallet-children">
        {data.list.slice(0, all ? undefined : most).map((child, index) => (
          // one subscription may be billed twice in a charge
          // biome-ignore lint/suspicious/noArrayIndexKey: billed lines never move
          <li key={index}>
            <span>{child.description}</span>
            <span className="text-3">{period(child)}</span>
            <span className="number">{price(child.amount, child.currency)}</span>
          </li>
        ))}
      </ul>
      {!all && data.list.length > most && (
        <Button size="small" onPress={() => setAll(true)}>
          {t('wallet.detailsAll', { count: data.list.length })}
        </Button>
      )}
      {/* what was charged is the sum of its lines, and leaves the wallet */}
      <p className="wallet-sum">
        <span>{t('wallet.detailsTotal')}</span>
        <span className="number">{price(Math.abs(entry.amount), entry.currency)}</span>
      </p>
    </>
  )
}

/** The days a line covers; its end is exclusive. */
function period({ since, until }: Transaction): string {
  if (!since || !until) return ''
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const last = new Date(toDate(until).getTime() - 1)
  return `${day(toDate(since), format)} – ${day(last, format)}`
}
