import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import { useEffect } from 'react'
import { useNewObject } from '../../domain/directory/new-object.tsx'
import { pricingOf } from '../../domain/subscriptions/discount.tsx'
import { PricePanel } from '../../domain/subscriptions/price-panel.tsx'
import { completeUnits, type Units } from '../../domain/subscriptions/rules.ts'
import { SubscriptionSelect } from '../../domain/subscriptions/subscription-select.tsx'
import { useObjectPrice } from '../../domain/subscriptions/use-price-preview.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { showStatusPage } from '../../platform/error-page-store.ts'
import { hasPermission, useUser } from '../../platform/session/auth.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useFocusFirst } from '../../ui/form/use-focus-first.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Loading } from '../../ui/page/skeleton.tsx'

/** Page to create a room; only for users who control the account. */
export function NewRoomPage() {
  const t = useT()
  const mayCreate = hasPermission('settings')
  const skus = useApi('GET /api/v4/skus', { query: { type: 'room' } }, { enabled: mayCreate })
  useEffect(() => {
    if (!mayCreate) showStatusPage(403)
  }, [mayCreate])
  if (!mayCreate) return null
  return (
    <>
      <PageHead
        title={t('rooms.newTitle')}
        facts={t('rooms.lead')}
        trail={[{ label: t('section.rooms'), to: '/rooms' }]}
      />
      {skus.data && <NewRoom skus={skus.data} />}
      {!skus.data && skus.isError && <LoadFailed onRetry={skus.refetch} />}
      {!skus.data && !skus.isError && (
        <Loading>
          <FormSkeleton />
        </Loading>
      )}
    </>
  )
}

interface NewRoomValues {
  description: string
  skus: Units
}

function NewRoom({ skus }: { skus: readonly Sku[] }) {
  const t = useT()
  const user = useUser()
  const mayChoose = hasPermission('subscriptions')
  const form = useNewObject<NewRoomValues>('room', {
    initial: { description: '', skus: usualUnits(skus) },
    create: ({ description, skus: wanted }) =>
      call('POST /api/v4/rooms', {
        body: { description: description.trim() || null, ...(mayChoose && { skus: { ...wanted } }) },
      }),
  })
  useFocusFirst(form.props.ref)
  const price = useObjectPrice({
    type: 'room',
    action: 'create',
    ...(mayChoose && { skus: { ...form.values.skus } }),
  })
  return (
    <div className="columns">
      <form {...form.props} className="panel" aria-label={t('rooms.newTitle')}>
        <UnsavedGuard form={form} />
        <FormSection title={t('rooms.aboutSection')} hint={t('rooms.nameMade')}>
          <TextField
            {...form.field('description')}
            label={t('words.description')}
            hint={t('rooms.descriptionHint')}
            placeholder={t('rooms.descriptionExample')}
            optional
            autoComplete="off"
            maxLength={191}
          />
        </FormSection>
        {mayChoose && (
          <FormSection title={t('rooms.subscriptions')} hint={t('rooms.subscriptionsHint')}>
            <SubscriptionSelect
              id="skus"
              name="skus"
              label={t('rooms.subscriptions')}
              skus={skus}
              held={{}}
              value={form.values.skus}
              onValue={(units) => form.set('skus', units)}
              pricing={pricingOf(user?.wallet)}
              price={price}
              error={form.errors.skus}
            />
          </FormSection>
        )}
        <footer>
          <span className="spacer" />
          <ButtonLink to="/rooms">{t('words.cancel')}</ButtonLink>
          <Button
            type="submit"
            variant="primary"
            reason={price.pending ? t('words.priceToCome') : undefined}
            busy={form.busy}
            busyLabel={t('words.creating')}
          >
            {t('rooms.create')}
          </Button>
        </footer>
      </form>
      <aside aria-label={t('words.price')}>
        <PricePanel state={price} skus={skus} isNew />
      </aside>
    </div>
  )
}

/** Default units of a room: SKUs that are on by default. */
function usualUnits(skus: readonly Sku[]): Units {
  const usual = skus.filter(({ enabled, readonly }) => enabled || readonly)
  return completeUnits(skus, Object.fromEntries(usual.map(({ id }) => [id, 1])))
}
