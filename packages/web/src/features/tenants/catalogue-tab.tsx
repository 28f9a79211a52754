import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../app/http.ts'
import { apiQuery } from '../../app/query.tsx'
import { number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Panel, Tag } from '../../ui/panel.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

export type Catalogue = Answer<'GET /api/v4/tenants/{id}/catalogue'>

export function catalogueQuery(id: string) {
  return apiQuery('GET /api/v4/tenants/{id}/catalogue', { params: { id } })
}

/** What the tenant sells, and what it owes for it. */
export function CatalogueTab({ id }: { id: string }) {
  const t = useT()
  const { data, isError, refetch } = useQuery(catalogueQuery(id))
  if (!data) {
    return (
      <Panel flush={!isError} busy={!isError}>
        {isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={5} />}
      </Panel>
    )
  }
  return (
    <section className="panel">
      <DataTable
        label={t('tenants.catalogue')}
        columns={columns(t, data.currency)}
        rows={data.skus}
        rowKey={({ id: sku }) => sku}
      />
    </section>
  )
}

function columns(t: ReturnType<typeof useT>, currency: string): readonly Column<Catalogue['skus'][number]>[] {
  return [
    {
      name: 'name',
      label: t('tenants.product'),
      phone: 'main',
      cell: ({ name, title, active }) => (
        <>
          <span className="medium">{name}</span> {!active && <Tag>{t('tenants.notOnSale')}</Tag>}
          <span className="data-second mono">{title}</span>
        </>
      ),
    },
    {
      name: 'period',
      label: t('tenants.period'),
      phone: 'meta',
      cell: ({ period }) => t(period === 'yearly' ? 'tenants.yearly' : 'tenants.monthly'),
    },
    {
      name: 'free',
      label: t('tenants.free'),
      phone: 'hidden',
      align: 'end',
      cell: ({ units_free: free }) => number(free),
    },
    {
      name: 'cost',
      label: t('tenants.price'),
      phone: 'aside',
      align: 'end',
      cell: ({ cost }) => price(cost, currency),
    },
    {
      name: 'fee',
      label: t('tenants.fee'),
      phone: 'hidden',
      align: 'end',
      cell: ({ fee }) => <span className="text-2">{price(fee, currency)}</span>,
    },
  ]
}
