import type { PriceChangeInput } from '@gatehouse/contract/billing/price-changes'
import { useState } from 'react'
import { ObjectLoader } from '../../domain/directory/object-loader.tsx'
import { readAmount } from '../../domain/wallet/amounts.ts'
import { number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { variant } from '../../platform/config.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { PreviewAccounts, type PreviewFacts, PreviewSums, useChangePreview } from './change-preview.tsx'
import { longDay, reasonLanguages } from './price-change-state.ts'
import './price-changes.css'

/** Form for a price change; administrators choose a tenant first. */
export function NewPriceChangePage() {
  const t = useT()
  const [tenant, setTenant] = useState<number | null>(null)
  const tenants = useApi('GET /api/v4/tenants', { query: { size: 100 } }, { enabled: variant() === 'admin' })
  const skus = useApi('GET /api/v4/price-changes/skus', { query: { tenant } })
  return (
    <>
      <PageHead
        title={t('pricechanges.new')}
        trail={[{ label: t('cockpit.priceChanges'), to: '/price-changes' }]}
      />
      <div className="stack">
        {tenants.data && tenants.data.list.length > 1 && (
          <div className="price-change-tenant">
            <Select
              id="price-change-tenant"
              label={t('words.tenant')}
              value={String(tenant ?? 0)}
              onValue={(id) => setTenant(Number(id))}
              options={tenants.data.list.map(({ id, title }) => ({ value: String(id), label: title }))}
            />
          </div>
        )}
        <ObjectLoader query={skus}>{(offer) => <Form key={offer.tenant.id} offer={offer} />}</ObjectLoader>
      </div>
    </>
  )
}

interface Offer {
  list: readonly {
    id: string
    name: string
    cost: number
    months: number
    openChange: string | null
  }[]
  currency: string
  noticeDays: number
}

/** A change to confirm, with the number of affected accounts. */
interface Asked {
  body: PriceChangeInput
  wallets: number
}

const empty = { sku: '', cost: '', date: '', en: '', de: '', fr: '', it: '' }

function Form({ offer }: { offer: Offer }) {
  const t = useT()
  const act = useAct('POST /api/v4/price-changes', ['GET /api/v4/price-changes'])
  const navigate = useNavigate()
  const [start, setStart] = useState<'at-once' | 'same-date'>('same-date')
  const [individual, setIndividual] = useState<Readonly<Record<number, string>>>({})
  const [asked, setAsked] = useState<Asked>()
  const [facts, setFacts] = useState<PreviewFacts>()
  const skus = offer.list.filter(({ cost, openChange }) => cost > 0 && openChange === null)
  const form = useForm({
    initial: { ...empty, sku: skus[0]?.id ?? '' },
    prefix: 'price-change-',
    submit: async (typed): Promise<void> => {
      const body = bodyOf(typed, start, individual)
      if (body === undefined) return form.setErrors({ cost: t('pricechanges.faultPrice') })
      // errors are shown at their fields before asking for confirmation
      const { wallets } = await call('POST /api/v4/price-changes/preview', { body: { ...body, size: 1 } })
      setAsked({ body, wallets })
    },
  })
  const { values } = form
  const sku = skus.find(({ id }) => id === values.sku)
  const body = bodyOf(values, start, individual)
  const preview = useChangePreview(body, setFacts)
  const schedule = useForm({
    initial: {},
    submit: async () => {
      if (asked === undefined) return
      const { id } = await act({ body: asked.body }, () => {
        form.reset(values)
        setAsked(undefined)
      })
      await navigate({ to: `/price-change/${id}` })
    },
  })
  return (
    <>
      <div className="columns">
        <FormPanel
          form={form}
          title={t('pricechanges.change')}
          note={t('pricechanges.note')}
          submitLabel={t('pricechanges.schedule')}
          busyLabel={t('cockpit.working')}
        >
          <FormSection title={t('words.price')} hint={t('pricechanges.priceHint')}>
            <Select
              {...form.field('sku')}
              label={t('words.subscription')}
              options={skus.map(({ id, name, cost, months }) => ({
                value: id,
                label: t(months === 1 ? 'pricechanges.perMonth' : 'pricechanges.perYear', {
                  name,
                  price: price(cost, offer.currency),
                }),
              }))}
            />
            <TextField
              {...form.field('cost')}
              label={t('pricechanges.newPrice', { currency: offer.currency })}
              inputMode="decimal"
              autoComplete="off"
              required
            />
            {facts?.individual.map(({ cost, subscriptions }) => (
              <TextField
                key={cost}
                id={`price-change-individual-${cost}`}
                label={t('pricechanges.individualOf', {
                  price: price(cost, offer.currency),
                  units: subscriptions,
                  count: number(subscriptions),
                })}
                hint={t('pricechanges.individualHint')}
                inputMode="decimal"
                autoComplete="off"
                optional
                value={individual[cost] ?? ''}
                onValue={(text) => setIndividual({ ...individual, [cost]: text })}
              />
            ))}
          </FormSection>
          <FormSection
            title={t('pricechanges.from')}
            hint={t('pricechanges.fromHint', { days: offer.noticeDays, count: number(offer.noticeDays) })}
          >
            <TextField
              {...form.field('date')}
              type="date"
              label={t('words.date')}
              {...(facts && { hint: t('pricechanges.earliest', { day: longDay(facts.earliest) }) })}
              optional
            />
            <Choices
              id="price-change-start"
              name="start"
              label={t('pricechanges.newSubscriptions')}
              value={start}
              onValue={(value) => setStart(value === 'at-once' ? 'at-once' : 'same-date')}
              choices={[
                { value: 'same-date', label: t('pricechanges.sameDate') },
                { value: 'at-once', label: t('pricechanges.atOnce') },
              ]}
            />
          </FormSection>
          <FormSection title={t('pricechanges.reason')} hint={t('pricechanges.reasonHint')}>
            {reasonLanguages.map(({ language, label }) => (
              <TextArea
                key={language}
                {...form.field(language)}
                label={t(label)}
                rows={2}
                maxLength={1000}
                optional
              />
            ))}
          </FormSection>
        </FormPanel>
        <aside className="price-change-sums" aria-label={t('words.preview')}>
          <PreviewSums preview={preview} />
        </aside>
      </div>
      <PreviewAccounts preview={preview} />
      <UnsavedGuard form={form} />
      {asked && sku && (
        <Dialog
          open
          title={t('pricechanges.scheduleOf', {
            name: sku.name,
            from: price(sku.cost, offer.currency),
            to: price(asked.body.cost, offer.currency),
          })}
          onClose={() => setAsked(undefined)}
          actions={[
            {
              preset: 'submit',
              label: t('pricechanges.schedule'),
              busyLabel: t('cockpit.working'),
              busy: schedule.busy,
              onPress: () => schedule.submit(),
              dismiss: false,
            },
          ]}
        >
          <form {...schedule.props}>
            <p>
              {t('pricechanges.scheduleText', {
                wallets: asked.wallets,
                count: number(asked.wallets),
              })}
            </p>
          </form>
        </Dialog>
      )}
    </>
  )
}

/** Builds the request body; undefined while a price is missing or invalid. */
function bodyOf(
  values: typeof empty,
  newSubscriptions: 'at-once' | 'same-date',
  individual: Readonly<Record<number, string>>,
): PriceChangeInput | undefined {
  const cost = readAmount(values.cost)
  const steps = Object.entries(individual)
    .filter(([, text]) => text.trim() !== '')
    .map(([from, text]) => ({ from: Number(from), to: readAmount(text) }))
  const known = steps.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]))
  if (cost === undefined || values.sku === '' || known.length < steps.length) return undefined
  const reason = Object.fromEntries(
    reasonLanguages
      .map(({ language }) => [language, values[language].trim()] as const)
      .filter(([, text]) => text !== ''),
  )
  return { sku: values.sku, cost, date: values.date || null, newSubscriptions, individual: known, reason }
}
