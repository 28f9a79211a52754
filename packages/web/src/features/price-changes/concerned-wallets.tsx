import type { ConcernedWallet } from '@gatehouse/contract/billing/price-changes'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import { number, price, signedPrice } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Link } from '../../router/link.tsx'
import { DataList, type ListQuery } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import type { ListNavigation } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'

interface Props {
  query: ListQuery<ConcernedWallet>
  navigation: ListNavigation<'difference', object & Record<string, never>>
  currency: string
}

/** Accounts affected by a price change, with their monthly cost before and after. */
export function ConcernedWallets({ query, navigation, currency }: Props) {
  const t = useT()
  return (
    <DataList
      label={t('pricechanges.accounts')}
      columns={useColumns(currency)}
      rowKey={({ walletId }) => walletId}
      query={query}
      navigation={navigation}
      empty={<EmptyState title={t('pricechanges.nobody')}>{t('pricechanges.nobodyText')}</EmptyState>}
    />
  )
}

function useColumns(currency: string): readonly Column<ConcernedWallet>[] {
  const t = useT()
  return [
    {
      name: 'account',
      label: t('pricechanges.account'),
      phone: 'main',
      cell: ({ user }) => (
        <Link to={`/user/${user.id}`} className="medium">
          {displayAddress(user.email)}
        </Link>
      ),
    },
    {
      name: 'subscriptions',
      label: t('pricechanges.subscriptions'),
      phone: 'hidden',
      align: 'end',
      cell: ({ subscriptions }) => number(subscriptions),
    },
    {
      name: 'monthly',
      label: t('pricechanges.monthly'),
      phone: 'meta',
      align: 'end',
      cell: ({ before, after }) => (
        <span className="nowrap">
          {t('words.fromTo', { from: price(before, currency), to: price(after, currency) })}
        </span>
      ),
    },
    {
      name: 'difference',
      label: t('pricechanges.difference'),
      phone: 'aside',
      align: 'end',
      cell: ({ before, after }) => <span className="nowrap">{signedPrice(after - before, currency)}</span>,
    },
  ]
}
