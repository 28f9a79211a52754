import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { useQuery } from '@tanstack/react-query'
import { EditFrame } from '../../domain/directory/edit-frame.tsx'
import { skusQuery } from '../../domain/directory/kind-calls.ts'
import type { RevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { pricingOf } from '../../domain/subscriptions/discount.tsx'
import { PricePanel } from '../../domain/subscriptions/price-panel.tsx'
import { completeUnits } from '../../domain/subscriptions/rules.ts'
import { SubscriptionSelect } from '../../domain/subscriptions/subscription-select.tsx'
import { type PriceState, useObjectPrice } from '../../domain/subscriptions/use-price-preview.ts'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { meetingAddress, meetingPath } from '../../platform/navigation/meeting-address.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { RoomState } from './room-state.tsx'
import type { RoomValues } from './use-room-form.ts'

export interface GeneralTabProps {
  room: RoomDetail
  edit: RevisedForm<RoomValues>
}

/** Purpose and cost of a room. */
export function GeneralTab({ room, edit }: GeneralTabProps) {
  const t = useT()
  const mayChoose = hasPermission('subscriptions')
  const skus = useQuery({ ...skusQuery('room', room.id), enabled: mayChoose })
  const wanted = skus.data && completeUnits(skus.data, edit.form.values.skus)
  const price = useObjectPrice(
    wanted && { type: 'room', action: 'change', id: room.id, skus: { ...wanted } },
    room.revision,
  )
  return (
    <div className="columns">
      <EditFrame edit={edit} label={t('words.general')} waiting={wanted && price.pending}>
        <FormSection title={t('rooms.aboutSection')} hint={t('rooms.addressHint')}>
          <div className="field">
            <span className="field-label medium">{t('words.address')}</span>
            <a className="rooms-address" href={meetingPath(room.name)} target="_blank" rel="noopener">
              {meetingAddress(room.name)}
            </a>
          </div>
          <TextField
            {...edit.form.field('description')}
            label={t('words.description')}
            hint={t('rooms.descriptionHint')}
            placeholder={t('rooms.descriptionExample')}
            optional
            disabled={!room.canUpdate}
            autoComplete="off"
            maxLength={191}
          />
        </FormSection>
        {mayChoose && <Subscriptions room={room} edit={edit} skus={skus} price={price} />}
      </EditFrame>
      <aside className="stack" aria-label={t('words.atAGlance')}>
        {mayChoose && !(skus.isError && !skus.data) && <PricePanel state={price} skus={skus.data} />}
        <Panel title={t('words.atAGlance')}>
          <Facts
            facts={[
              { label: t('rooms.now'), value: <RoomState room={room} /> },
              { label: t('words.locked'), value: t(room.config.locked ? 'words.yes' : 'rooms.no') },
              {
                label: t('words.password'),
                value: t(room.config.password ? 'rooms.passwordSet' : 'rooms.passwordNone'),
              },
              { label: t('rooms.created'), value: day(room.created_at) },
              { label: t('words.lastChanged'), value: day(room.updated_at) },
            ]}
          />
        </Panel>
      </aside>
    </div>
  )
}

interface SubscriptionsProps extends GeneralTabProps {
  skus: { data: readonly Sku[] | undefined; isError: boolean; refetch: () => unknown }
  price: PriceState
}

function Subscriptions({ room, edit: { form }, skus, price }: SubscriptionsProps) {
  const t = useT()
  return (
    <FormSection title={t('rooms.subscriptions')} hint={t('rooms.subscriptionsHint')}>
      {skus.data && (
        <SubscriptionSelect
          id="skus"
          name="skus"
          label={t('rooms.subscriptions')}
          skus={skus.data}
          held={room.skus}
          value={form.values.skus}
          onValue={(units) => form.set('skus', units)}
          pricing={pricingOf(room.wallet ?? undefined)}
          price={price}
          error={form.errors.skus}
        />
      )}
      {!skus.data && (skus.isError ? <LoadFailed onRetry={skus.refetch} /> : <SkeletonRows count={2} />)}
    </FormSection>
  )
}
