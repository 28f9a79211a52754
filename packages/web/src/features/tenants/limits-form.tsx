import type { Tenant, TenantLimits } from '@gatehouse/contract/tenants'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../app/api.ts'
import { useT } from '../../i18n/i18n.ts'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { FormPanel } from '../../ui/form-panel.tsx'
import { FormSection } from '../../ui/form-section.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { readAmount, writeAmount } from '../../ui/wallet/amounts.ts'

type Values = Record<keyof TenantLimits, string>

/** What the customers of a tenant may have together; only the administrators of the installation say. */
export function LimitsForm({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const form = useLimits(tenant)
  return (
    <>
      <FormPanel form={form} title={t('tenants.limits')} note={t('tenants.limitsNote')}>
        <FormSection title={t('tenants.limitsShort')} hint={t('tenants.limitsHint')}>
          <TextField {...form.field('users')} label={t('tenants.users')} inputMode="numeric" optional />
          <TextField {...form.field('storage')} label={t('tenants.storageGb')} inputMode="numeric" optional />
          <TextField
            {...form.field('spend')}
            label={t('tenants.spendIn', { currency: tenant.wallet?.currency ?? 'CHF' })}
            inputMode="decimal"
            optional
          />
        </FormSection>
      </FormPanel>
      <UnsavedGuard form={form} />
    </>
  )
}

/** A whole number that somebody typed; null: nothing; undefined: it is none. */
export function readCount(text: string): number | null | undefined {
  const plain = text.trim()
  if (plain === '') return null
  return /^\d{1,9}$/.test(plain) ? Number(plain) : undefined
}

function useLimits(tenant: Tenant): Form<Values> {
  const t = useT()
  const client = useQueryClient()
  const form: Form<Values> = useForm<Values>({
    initial: valuesOf(tenant.limits),
    prefix: 'limit-',
    submit: async (values) => {
      const users = readCount(values.users)
      const storage = readCount(values.storage)
      const spend = values.spend.trim() === '' ? null : readAmount(values.spend)
      if (users === undefined || storage === undefined || spend === undefined) {
        form.setErrors({
          ...(users === undefined && { users: t('tenants.faultCount') }),
          ...(storage === undefined && { storage: t('tenants.faultCount') }),
          ...(spend === undefined && { spend: t('tenants.faultCount') }),
        })
        return
      }
      const params = { id: String(tenant.id) }
      const { message } = await call('PUT /api/v4/tenants/{id}/limits', {
        params,
        body: { users, storage, spend },
      })
      toasts.success(message)
      form.reset(values)
      void client.invalidateQueries({ queryKey: ['GET /api/v4/tenants/{id}'] })
    },
  })
  return form
}

function valuesOf({ users, storage, spend }: TenantLimits): Values {
  const text = (value: number | null) => (value === null ? '' : String(value))
  return { users: text(users), storage: text(storage), spend: spend === null ? '' : writeAmount(spend) }
}
