import type { ObjectCosts } from '@gatehouse/contract/billing/wallets'
import { type Kind, kinds } from '@gatehouse/contract/directory/kinds'
import { pageOf } from '../../domain/directory/kind.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { hasPermission } from '../../platform/session/auth.ts'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'

const options = { sorts: ['cost', 'name'], filters: {}, order: 'desc' } as const

const kindLabels: Readonly<Record<Kind, MessageKey>> = {
  user: 'words.user',
  domain: 'words.domain',
  group: 'words.distributionList',
  resource: 'words.resource',
  'shared-folder': 'wallet.kindFolder',
  room: 'words.room',
}

/** Monthly cost of each user and object of the account. */
export function CostsTab({ id }: { id: string }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search, sort, order } = navigation.place
  const query = useApiPage(
    'GET /api/v4/wallets/{id}/costs',
    {
      params: { id },
      query: { page, size, sort, order, search: search || null },
    },
    { staleTime: 0 },
  )
  const { monthly = 0, total = 0, currency = 'CHF', discount = 0 } = query.data ?? {}
  return (
    <DataList
      label={t('wallet.costs')}
      columns={useColumns(currency)}
      rowKey={({ objectType, objectId }) => `${objectType} ${objectId}`}
      query={query}
      navigation={navigation}
      tools={
        <>
          <ListSearch
            label={t('wallet.searchCosts')}
            placeholder={t('wallet.searchCostsText')}
            value={search}
            onSearch={(text) => navigation.go({ search: text })}
          />
          <p className="wallet-total" role="status">
            {query.data &&
              t('wallet.costsTotal', {
                ...{ amount: price(monthly, currency), count: total, discount },
                discounted: discount > 0 ? 'yes' : 'no',
              })}
          </p>
        </>
      }
      empty={<EmptyState title={t('wallet.costsEmpty')}>{t('wallet.costsEmptyText')}</EmptyState>}
    />
  )
}

function useColumns(currency: string): readonly Column<ObjectCosts>[] {
  const t = useT()
  return [
    {
      name: 'name',
      label: t('wallet.object'),
      sortable: true,
      phone: 'main',
      width: '42%',
      cell: (row) => <NameCell row={row} />,
    },
    {
      name: 'skus',
      label: t('words.subscriptions'),
      phone: 'meta',
      cell: ({ skus }) => (
        <ul className="wallet-skus small text-2">
          {skus.map(({ skuId, name, quantity, monthly }) => (
            <li key={skuId}>
              {quantity === 1 ? name : t('words.times', { name, count: number(quantity) })}
              {monthly > 0 && <span className="text-3"> {price(monthly, currency)}</span>}
            </li>
          ))}
        </ul>
      ),
    },
    {
      name: 'cost',
      label: t('wallet.perMonth'),
      sortable: true,
      phone: 'aside',
      align: 'end',
      cell: ({ monthly }) => <span className="medium">{price(monthly, currency)}</span>,
    },
  ]
}

function NameCell({ row: { objectType, objectId, name } }: { row: ObjectCosts }) {
  const t = useT()
  const kind = kindOf(objectType)
  const label = kind ? t(kindLabels[kind]) : objectType
  if (name === null) return <span className="medium">{label}</span>
  return (
    <>
      {kind && hasPermission(kinds[kind].permission) ? (
        <TableLink to={`${pageOf(kind)}/${objectId}`}>{name}</TableLink>
      ) : (
        <span className="medium">{name}</span>
      )}
      <span className="data-second">{label}</span>
    </>
  )
}

function kindOf(type: string): Kind | undefined {
  return Object.hasOwn(kinds, type) ? (type as Kind) : undefined // the keys of `kinds` are its kinds
}
