import type { StaffUserDetail } from '@gatehouse/contract/staff'
import type { Sku } from '@gatehouse/contract/subscriptions'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconShieldOff from '@tabler/icons-react/dist/esm/icons/IconShieldOff.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../app/api.ts'
import { apiQuery } from '../../../app/query.tsx'
import { number, priceLabel } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { DiscountNote, pricingOf } from '../../../ui/subscriptions/discount.tsx'
import { monthlyCost, sortSkus } from '../../../ui/subscriptions/rules.ts'
import { useAct } from '../shared/acts.ts'
import { CommentDialog } from '../shared/comment-dialog.tsx'
import { SmallTable } from '../shared/small-table.tsx'
import { staffWalletQuery } from './customer-calls.ts'

/** The subscription that staff may add, whatever plan somebody has. */
const addable = 'beta'

interface Row {
  sku: Sku
  count: number
  /** Cents a month before the discount. */
  monthly: number
}

/** What a user holds, what it costs him, and the two things that staff may change about it. */
export function SubscriptionsTab({ user }: { user: StaffUserDetail }) {
  const query = useQuery(apiQuery('GET /api/v4/users/{id}/skus', { params: { id: String(user.id) } }))
  if (query.data) return <Subscriptions user={user} skus={query.data} />
  return (
    <Panel flush={!query.isError} busy={!query.isError}>
      {query.isError ? <LoadFailed onRetry={query.refetch} /> : <SkeletonRows count={4} />}
    </Panel>
  )
}

function Subscriptions({ user, skus }: { user: StaffUserDetail; skus: readonly Sku[] }) {
  const t = useT()
  // what the finances tab has changed shows here at once
  const wallet = useQuery({ ...staffWalletQuery(user.wallet.id), retry: false })
  const pricing = pricingOf(wallet.data ?? user.wallet)
  const rows = sortSkus(skus).flatMap((sku) => {
    const held = user.skus[sku.id]
    return held ? [{ sku, count: held.count, monthly: monthlyCost(sku, held.count, held.costs) }] : []
  })
  const columns: readonly Column<Row>[] = [
    {
      name: 'name',
      label: t('customer.subscription'),
      phone: 'main',
      cell: ({ sku, count }) => (
        <>
          <span className="medium">{sku.name}</span>
          {sku.range && (
            <span className="data-second">
              {t('customer.units', { count: number(count), unit: sku.range.unit })}
            </span>
          )}
        </>
      ),
    },
    {
      name: 'price',
      label: t('customer.price'),
      phone: 'aside',
      align: 'end',
      cell: ({ monthly }) => priceLabel(monthly, pricing),
    },
  ]
  return (
    <div className="stack">
      <SmallTable
        label={t('customer.subscriptions')}
        columns={columns}
        rows={rows}
        rowKey={({ sku }) => sku.id}
        empty={
          <EmptyState title={t('customer.noSubscriptions')}>{t('customer.noSubscriptionsText')}</EmptyState>
        }
        footer={pricing.discount > 0 && <DiscountNote pricing={pricing} />}
      />
      <Changes user={user} skus={skus} />
    </div>
  )
}

function Changes({ user, skus }: { user: StaffUserDetail; skus: readonly Sku[] }) {
  const t = useT()
  const act = useAct()
  const [asked, setAsked] = useState<'factor' | 'sku'>()
  const close = () => setAsked(undefined)
  const params = { id: String(user.id) }
  const sku = skus.find(({ title, id }) => title === addable && !user.skus[id])
  const { canResetSecondFactor, canAddSku } = user.staffRights
  if (!canResetSecondFactor && !(canAddSku && sku)) return null
  return (
    <div className="row wrap">
      {canResetSecondFactor && (
        <Button variant="danger-outline" icon={IconShieldOff} onPress={() => setAsked('factor')}>
          {t('customer.resetFactor')}
        </Button>
      )}
      {canAddSku && sku && (
        <Button icon={IconPlus} onPress={() => setAsked('sku')}>
          {t('customer.addSku', { name: sku.name })}
        </Button>
      )}
      {asked === 'factor' && (
        <CommentDialog
          title={t('customer.factorTitle', { name: user.email })}
          effects={[t('customer.factorEffect'), t('customer.factorProof')]}
          verb={t('customer.factorNow')}
          icon={IconShieldOff}
          isDanger
          onClose={close}
          send={(comment) =>
            act(() => call('POST /api/v4/users/{id}/reset-2fa', { params, body: { comment } }))
          }
        />
      )}
      {asked === 'sku' && sku && (
        <CommentDialog
          title={t('customer.skuTitle', { sku: sku.name, name: user.email })}
          effects={[t('customer.skuEffect', { price: priceLabel(sku.cost, pricingOf(user.wallet)) })]}
          verb={t('customer.skuNow')}
          onClose={close}
          send={(comment) =>
            act(() =>
              call('POST /api/v4/users/{id}/skus/{sku}', {
                params: { ...params, sku: addable },
                body: { comment },
              }),
            )
          }
        />
      )}
    </div>
  )
}
