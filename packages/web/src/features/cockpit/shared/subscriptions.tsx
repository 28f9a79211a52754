import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import type { ObjectSubscriptions, SubscribedType } from '@gatehouse/contract/staff/staff-subscriptions'
import { useState } from 'react'
import { pricingOf } from '../../../domain/subscriptions/discount.tsx'
import { PricePanel } from '../../../domain/subscriptions/price-panel.tsx'
import { completeUnits, heldUnits, type Units } from '../../../domain/subscriptions/rules.ts'
import { SubscriptionSelect } from '../../../domain/subscriptions/subscription-select.tsx'
import { type PriceState, usePricePreview } from '../../../domain/subscriptions/use-price-preview.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'

interface Subject {
  type: SubscribedType
  id: number
  /** Address or name of the object. */
  name: string
}

/** Subscriptions a customer's object holds and may hold; staff change them after seeing the price. */
export function ObjectSubscriptionsTab(subject: Subject) {
  const { type, id } = subject
  const params = { type, id: String(id) }
  const query = useApi('GET /api/v4/subscriptions/{type}/{id}', { params })
  if (query.data) {
    // changes made elsewhere reset the selection
    return <Loaded key={JSON.stringify(query.data.held)} {...subject} found={query.data} />
  }
  return (
    <Panel flush={!query.isError} busy={!query.isError}>
      {query.isError ? <LoadFailed onRetry={query.refetch} /> : <SkeletonRows count={4} />}
    </Panel>
  )
}

function Loaded({ found, ...subject }: Subject & { found: ObjectSubscriptions }) {
  const t = useT()
  const { skus, held, canChange } = found
  const now = heldUnits(held)
  const [units, setUnits] = useState<Units>(now)
  const [isAsked, setAsked] = useState(false)
  const wanted = completeUnits(skus, units)
  const price = useChangePrice(subject, found, wanted)
  const isChanged = JSON.stringify(units) !== JSON.stringify(now)
  if (Object.keys(held).length === 0 && !canChange) {
    return (
      <Panel flush>
        <EmptyState title={t('customer.noSubscriptions')}>{t('customer.noSubscriptionsText')}</EmptyState>
      </Panel>
    )
  }
  return (
    <Panel
      title={t('customer.subscriptions')}
      footer={
        isChanged && (
          <>
            <span className="spacer" />
            <Button onPress={() => setUnits(now)}>{t('customer.discardSkus')}</Button>
            <Button variant="primary" onPress={() => setAsked(true)}>
              {t('customer.changeSkus')}
            </Button>
          </>
        )
      }
    >
      <SubscriptionSelect
        id="skus"
        label={t('customer.subscriptions')}
        skus={skus}
        held={held}
        value={units}
        onValue={setUnits}
        pricing={pricingOf(found)}
        {...(canChange && { price })}
        readOnly={!canChange}
      />
      {isAsked && (
        <ChangeDialog
          {...subject}
          skus={skus}
          wanted={wanted}
          price={price}
          onClose={() => setAsked(false)}
        />
      )}
    </Panel>
  )
}

/** Returns the price of a selection, for those allowed to make it. */
function useChangePrice({ type, id }: Subject, { held, canChange }: ObjectSubscriptions, wanted: Units) {
  const params = { type, id: String(id) }
  return usePricePreview({
    about: canChange ? JSON.stringify([params, held, wanted]) : undefined,
    ask: (signal) =>
      call('POST /api/v4/subscriptions/{type}/{id}/preview', {
        params,
        body: { skus: { ...wanted } },
        signal,
        ignoreErrors: true,
      }),
  })
}

interface ChangeDialogProps extends Subject {
  skus: readonly Sku[]
  wanted: Units
  price: PriceState
  onClose: () => void
}

/** Shows the cost of a change and asks for a reason. */
function ChangeDialog({ type, id, name, skus, wanted, price, onClose }: ChangeDialogProps) {
  const t = useT()
  const act = useAct('PUT /api/v4/subscriptions/{type}/{id}', everything)
  const params = { type, id: String(id) }
  const form = useForm({
    initial: { reason: '' },
    prefix: 'skus-',
    submit: async ({ reason }) => {
      await act({ params, body: { skus: { ...wanted }, reason } })
      onClose()
    },
  })
  return (
    <Dialog
      open
      title={t('customer.changeSkusTitle', { name })}
      onClose={onClose}
      actions={[
        {
          preset: 'submit',
          label: t('customer.changeSkusNow'),
          busyLabel: t('cockpit.working'),
          busy: form.busy,
          disabled: price.pending,
          onPress: () => form.submit(),
          dismiss: false,
        },
      ]}
    >
      <PricePanel state={price} skus={skus} />
      <form {...form.props} className="stack">
        <TextArea
          {...form.field('reason')}
          label={t('words.why')}
          hint={t('words.reasonHint')}
          required
          rows={3}
          maxLength={1024}
        />
      </form>
    </Dialog>
  )
}
