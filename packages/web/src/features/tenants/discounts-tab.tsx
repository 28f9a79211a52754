import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { discountRate, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { type Catalogue, catalogueQuery } from './catalogue/catalogue-query.ts'
import { DiscountDialog } from './discount-dialog.tsx'

/** Discounts of the tenant, and who may claim them. */
export function DiscountsTab({ id }: { id: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const { data, isError, refetch } = useQuery(catalogueQuery(id))
  const add = (
    <Button size="small" icon={IconPlus} onPress={() => setOpen(true)}>
      {t('tenants.newDiscount')}
    </Button>
  )
  return (
    <>
      <Panel
        flush={Boolean(data) || !isError}
        title={t('tenants.discounts')}
        actions={data && add}
        busy={!data && !isError}
      >
        {!data && (isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={3} />)}
        {data?.discounts.length === 0 && (
          <EmptyState title={t('tenants.noDiscounts')}>{t('tenants.noDiscountsText')}</EmptyState>
        )}
        {data && data.discounts.length > 0 && <Discounts id={id} discounts={data.discounts} />}
      </Panel>
      {open && <DiscountDialog id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

type Discount = Catalogue['discounts'][number]

function Discounts({ id, discounts }: { id: string; discounts: readonly Discount[] }) {
  const t = useT()
  const act = useAct('PUT /api/v4/tenants/{id}/discounts/{discount}', [catalogueQuery(id).queryKey])
  const change = async (discount: Discount) => {
    const params = { id, discount: discount.id }
    const { active } = discount
    const undo = () => call('PUT /api/v4/tenants/{id}/discounts/{discount}', { params, body: { active } })
    await act({ params, body: { active: !active } }, { undo })
  }
  const columns: readonly Column<Discount>[] = [
    {
      name: 'discount',
      label: t('tenants.percent'),
      phone: 'main',
      cell: ({ discount, description }) => (
        <>
          <span className="medium">{discountRate(discount)}</span>
          <span className="data-second">{description}</span>
        </>
      ),
    },
    {
      name: 'code',
      label: t('words.code'),
      phone: 'meta',
      cell: ({ code }) => (code ? <code>{code}</code> : <span className="text-3">–</span>),
    },
    {
      name: 'wallets',
      label: t('tenants.wallets'),
      phone: 'meta',
      align: 'end',
      cell: ({ wallets }) => number(wallets),
    },
    {
      name: 'active',
      label: t('tenants.offered'),
      phone: 'aside',
      align: 'end',
      cell: (one) => (
        <span className="tenants-offer">
          {!one.active && <Tag>{t('tenants.notOffered')}</Tag>}
          <Button size="small" onPress={() => change(one)}>
            <span className="visually-hidden">
              {one.code ?? one.description}
              {': '}
            </span>
            {t(one.active ? 'tenants.stopOffering' : 'tenants.startOffering')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <DataTable label={t('tenants.discounts')} columns={columns} rows={discounts} rowKey={(one) => one.id} />
  )
}
