import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { FieldNotes } from '../../ui/fields/field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel, usePanelForm } from '../../ui/form/save-panel.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { modes } from './catalogue/plan-values.ts'
import { type LimitValues, limitValues, readLimits } from './limit-values.ts'
import { tenantChanged } from './use-tenant.tsx'

/** What a tenant may have and offer; set only by the installation's administrators. */
export function LimitsForm({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const form = useLimits(tenant)
  usePanelForm(form, t('words.limits'), 'settings')
  const currency = tenant.wallet?.currency ?? 'CHF'
  return (
    <>
      <SavePanel form={form} title={t('words.limits')} note={t('tenants.limitsNote')}>
        <FormSection title={t('tenants.limitsShort')} hint={t('tenants.limitsHint')}>
          <TextField {...form.field('users')} label={t('words.users')} inputMode="numeric" optional />
          <TextField {...form.field('storage')} label={t('tenants.storageGb')} inputMode="numeric" optional />
          <TextField
            {...form.field('spend')}
            label={t('tenants.spendIn', { currency })}
            inputMode="decimal"
            optional
          />
        </FormSection>
        {tenant.offerLimits && <OfferLimits form={form} currency={currency} />}
      </SavePanel>
      <UnsavedGuard form={form} />
    </>
  )
}

function OfferLimits({ form, currency }: { form: Form<LimitValues>; currency: string }) {
  const t = useT()
  const error = form.errors.planModes
  const counts = [
    ['freeMonths', 'offer.limitFreeMonths'],
    ['packageDiscount', 'offer.limitDiscountPercent'],
    ['publicDomains', 'words.publicDomains'],
    ['signupTokens', 'words.usableSignupTokens'],
  ] as const
  return (
    <FormSection title={t('offer.limitsShort')} hint={t('offer.limitsHint')}>
      <fieldset className="offer-modes" aria-describedby={error && 'limit-planModes-error'}>
        <legend className="field-label">{t('words.planModes')}</legend>
        <input type="hidden" name="planModes" />
        {modes.map(({ mode, label }) => (
          <Checkbox key={mode} {...form.check(mode)} label={t(label)} />
        ))}
        <div role="alert">
          <FieldNotes id="limit-planModes" error={error && errorLine(error)} />
        </div>
      </fieldset>
      <Checkbox {...form.check('belowFee')} label={t('offer.allowBelowFee')} />
      {counts.map(([key, label]) => (
        <TextField
          key={key}
          {...form.field(key)}
          label={t(label)}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
      ))}
      <TextField
        {...form.field('referralAward')}
        label={t('offer.limitAwardIn', { currency })}
        inputMode="decimal"
        autoComplete="off"
        optional
      />
    </FormSection>
  )
}

function useLimits(tenant: Tenant): Form<LimitValues> {
  const client = useQueryClient()
  const save = useAct('PUT /api/v4/tenants/{id}/limits')
  const params = { id: String(tenant.id) }
  const form: Form<LimitValues> = useForm<LimitValues>({
    initial: limitValues(tenant),
    prefix: 'limit-',
    submit: async (values) => {
      const body = readLimits(values, limitValues(tenant))
      await save({ params, body })
      // an emptied field shows the default limit again
      form.reset(limitValues(await call('GET /api/v4/tenants/{id}', { params })))
      tenantChanged(client)
    },
  })
  return form
}
