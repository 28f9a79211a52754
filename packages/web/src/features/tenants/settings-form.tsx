import type { Tenant, TenantSettings } from '@gatehouse/contract/staff/tenants'
import { useQueryClient } from '@tanstack/react-query'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel, usePanelForm } from '../../ui/form/save-panel.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { tenantChanged } from './use-tenant.tsx'

type Key = keyof TenantSettings
type Values = Record<Key, string>

interface FieldEntry {
  key: Key
  label: MessageKey
  type?: 'email' | 'url'
  hint?: MessageKey
}

const brand: readonly FieldEntry[] = [
  { key: 'app.name', label: 'words.name' },
  { key: 'app.url', label: 'tenants.appUrl', type: 'url', hint: 'tenants.urlHint' },
  { key: 'app.public_url', label: 'tenants.publicUrl', type: 'url', hint: 'tenants.publicUrlHint' },
  { key: 'app.theme', label: 'tenants.theme' },
  { key: 'app.support_url', label: 'tenants.supportUrl', type: 'url' },
  { key: 'app.support_email', label: 'tenants.supportEmail', type: 'email' },
]

const mail: readonly FieldEntry[] = [
  { key: 'mail.sender.address', label: 'tenants.senderAddress', type: 'email', hint: 'tenants.senderHint' },
  { key: 'mail.sender.name', label: 'tenants.senderName' },
  { key: 'mail.replyto.address', label: 'tenants.replyAddress', type: 'email' },
  { key: 'mail.replyto.name', label: 'tenants.replyName' },
]

/** Branding and settings of the tenant; empty fields use the installation's values. */
export function SettingsForm({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const form = useSettings(tenant)
  usePanelForm(form, t('words.settings'), 'settings')
  return (
    <>
      <SavePanel
        form={form}
        title={t('words.settings')}
        note={t(tenant.canChangeSettings ? 'tenants.settingsNote' : 'tenants.settingsFixed')}
      >
        <FormSection title={t('tenants.brand')} hint={t('tenants.brandHint')}>
          <Fields form={form} entries={brand} themes={tenant.themes} isFixed={!tenant.canChangeSettings} />
        </FormSection>
        <FormSection title={t('tenants.mail')} hint={t('tenants.mailHint')}>
          <Fields form={form} entries={mail} isFixed={!tenant.canChangeSettings} />
        </FormSection>
      </SavePanel>
      <UnsavedGuard form={form} />
    </>
  )
}

interface FieldsProps {
  form: Form<Values>
  entries: readonly FieldEntry[]
  isFixed: boolean
  themes?: readonly string[]
}

function Fields({ form, entries, isFixed, themes = [] }: FieldsProps) {
  const t = useT()
  return entries.map(({ key, label, type, hint }) =>
    key === 'app.theme' ? (
      <Select
        key={key}
        {...form.field(key)}
        label={t(label)}
        hint={t('tenants.themeHint')}
        disabled={isFixed}
        options={[
          { value: '', label: t('tenants.usualTheme') },
          ...themes.map((theme) => ({ value: theme, label: theme })),
        ]}
      />
    ) : (
      <TextField
        key={key}
        {...form.field(key)}
        label={t(label)}
        hint={hint && t(hint)}
        type={type ?? 'text'}
        disabled={isFixed}
        maxLength={255}
        autoComplete="off"
        optional
      />
    ),
  )
}

function useSettings(tenant: Tenant): Form<Values> {
  const client = useQueryClient()
  const save = useAct('PUT /api/v4/tenants/{id}')
  const form: Form<Values> = useForm<Values>({
    initial: valuesOf(tenant.settings),
    prefix: 'tenant-',
    submit: async (values) => {
      // every key is a key of the settings
      const entries = Object.entries(values).map(([key, value]) => [key, value.trim() || null])
      const params = { id: String(tenant.id) }
      await save({
        params,
        body: Object.fromEntries(entries),
      })
      // addresses have a separate form
      const { settings } = await call('GET /api/v4/tenants/{id}', { params })
      form.reset(valuesOf(settings))
      tenantChanged(client)
    },
  })
  return form
}

function valuesOf(settings: TenantSettings): Values {
  // fromEntries loses the keys; they are those of the settings
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value ?? ''])) as Values
}
