import type { PriceChange } from '@gatehouse/contract/billing/price-changes'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { variant } from '../../platform/config.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { factsOf, longDay, looks, states } from './price-change-state.ts'

const options = { sorts: ['created'], filters: { state: states }, order: 'desc' } as const

/** Price changes for existing subscriptions. */
export function PriceChangesPage() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const query = useApiPage(
    'GET /api/v4/price-changes',
    { query: { page, size, state: filters.state ?? null } },
    { staleTime: 0 },
  )
  const create = (
    <ButtonLink to="/price-change/new" variant="primary" icon={IconPlus}>
      {t('pricechanges.new')}
    </ButtonLink>
  )
  return (
    <>
      <PageHead title={t('cockpit.priceChanges')} facts={t('pricechanges.facts')} actions={create} />
      <DataList
        label={t('cockpit.priceChanges')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        tools={
          <ListFilter
            label={t('pricechanges.state')}
            all={t('words.all')}
            options={states.map((state) => ({ value: state, label: t(looks[state].label) }))}
            value={filters.state}
            onFilter={(state) => navigation.go({ filters: { state } })}
          />
        }
        empty={
          <EmptyState title={t('pricechanges.empty')} action={create}>
            {t('pricechanges.emptyText')}
          </EmptyState>
        }
      />
    </>
  )
}

function useColumns(): readonly Column<PriceChange>[] {
  const t = useT()
  return [
    {
      name: 'name',
      label: t('words.subscription'),
      phone: 'main',
      cell: ({ id, sku, tenant }) => (
        <>
          <TableLink to={`/price-change/${id}`}>{sku.name}</TableLink>
          {variant() === 'admin' && <span className="data-second">{tenant.title}</span>}
        </>
      ),
    },
    {
      name: 'price',
      label: t('words.price'),
      phone: 'meta',
      cell: (change) => <span className="nowrap">{t('words.fromTo', factsOf(change))}</span>,
    },
    {
      name: 'date',
      label: t('pricechanges.from'),
      phone: 'meta',
      cell: ({ date }) => <span className="nowrap">{longDay(date)}</span>,
    },
    {
      name: 'concerned',
      label: t('pricechanges.subscriptions'),
      phone: 'hidden',
      align: 'end',
      cell: ({ subscriptions }) => number(subscriptions),
    },
    {
      name: 'state',
      label: t('pricechanges.state'),
      phone: 'aside',
      cell: ({ state }) => {
        const { tone, icon, label } = looks[state]
        return (
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
        )
      },
    },
  ]
}
