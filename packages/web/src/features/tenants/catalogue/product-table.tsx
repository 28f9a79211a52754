import { number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { useTenantPath } from '../use-tenant.tsx'
import type { Catalogue, Product } from './catalogue-query.ts'

/** Products of the tenant, with their purchase prices. */
export function ProductTable({ catalogue }: { catalogue: Catalogue }) {
  const t = useT()
  const columns = useColumns(catalogue.currency)
  return (
    <DataTable label={t('words.products')} columns={columns} rows={catalogue.skus} rowKey={({ id }) => id} />
  )
}

function useColumns(currency: string): readonly Column<Product>[] {
  const t = useT()
  const path = useTenantPath()
  return [
    {
      name: 'name',
      label: t('offer.product'),
      phone: 'main',
      cell: ({ id, name, title, active }) => (
        <>
          <TableLink to={`${path}/product/${id}`}>{name}</TableLink>{' '}
          {!active && <Tag>{t('tenants.notOnSale')}</Tag>}
          <span className="data-second mono">{title}</span>
        </>
      ),
    },
    {
      name: 'period',
      label: t('words.period'),
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
      label: t('words.price'),
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
