import type { ApiKeyGroup, ApiKeyKind } from '@gatehouse/contract/sessions/api-keys'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { ExpiryField, type ExpiryValues, expiryAt, initialExpiry } from './expiry-field.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { NetworksField, networksIn } from './networks-field.tsx'
import { PermissionFields, scopesOf } from './permission-fields.tsx'

export interface CreateDialogProps {
  kind: ApiKeyKind
  groups: readonly ApiKeyGroup[]
  maxDays: number | null
  onClose: () => void
}

interface Values extends ExpiryValues {
  name: string
  networks: string
  chosen: Record<string, string>
}

/** Creates an API key and shows it once. */
export function CreateDialog(props: CreateDialogProps) {
  const [made, setMade] = useState<{ name: string; secret: string }>()
  return made ? <KeyDialog {...made} onClose={props.onClose} /> : <WantedDialog {...props} onMade={setMade} />
}

interface WantedDialogProps extends CreateDialogProps {
  onMade: (made: { name: string; secret: string }) => void
}

function WantedDialog({ kind, groups, maxDays, onMade, onClose }: WantedDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const form: Form<Values> = useForm<Values>({
    initial: { name: '', networks: '', chosen: {}, ...initialExpiry },
    prefix: 'api-key-',
    submit: async ({ name, networks, chosen, ...expiry }) => {
      const scopes = scopesOf(chosen)
      if (scopes.length === 0) return form.setErrors({ scopes: t('apikeys.noScope') })
      const body = { kind, name, scopes, networks: networksIn(networks), expires_at: expiryAt(expiry) }
      const { key } = await call('POST /api/v4/api-keys', { body })
      onMade({ name, secret: key })
      await client.invalidateQueries({ queryKey: ['GET /api/v4/api-keys'] })
    },
  })
  const { scopes: error } = form.errors
  return (
    <FormDialog
      title={t(kind === 'account' ? 'apikeys.newOfAccount' : 'apikeys.new')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('apikeys.create')}
      busyLabel={t('apikeys.creating')}
    >
      {kind === 'account' && <p className="text-2">{t('apikeys.accountText')}</p>}
      <TextField
        {...form.field('name')}
        label={t('words.name')}
        hint={t('apikeys.nameHint')}
        required
        maxLength={100}
        autoComplete="off"
      />
      <ExpiryField form={form} maxDays={maxDays} />
      <NetworksField field={form.field('networks')} />
      <PermissionFields
        groups={groups.filter(({ isPersonal }) => kind === 'personal' || !isPersonal)}
        chosen={form.values.chosen}
        onChosen={(chosen) => form.set('chosen', chosen)}
        error={error && errorLine(error)}
      />
    </FormDialog>
  )
}
