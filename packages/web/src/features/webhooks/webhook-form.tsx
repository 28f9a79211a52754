import type { EventType } from '@gatehouse/contract/webhooks/event-types'
import type { Webhook } from '@gatehouse/contract/webhooks/webhooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { SecretDialog } from './secret-dialog.tsx'

interface WebhookFormProps {
  /** Absent: a new one. */
  row?: Webhook
  onClose: () => void
}

/** Creates a webhook and shows its secret once, or changes one. */
export function WebhookForm(props: WebhookFormProps) {
  const [made, setMade] = useState<{ name: string; secret: string }>()
  return made ? (
    <SecretDialog {...made} onClose={props.onClose} />
  ) : (
    <FieldsDialog {...props} onMade={setMade} />
  )
}

interface FieldsDialogProps extends WebhookFormProps {
  onMade: (made: { name: string; secret: string }) => void
}

function FieldsDialog({ row, onMade, onClose }: FieldsDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const form = useForm({
    initial: { name: row?.name ?? '', url: row?.url ?? '', types: row?.types.join('\n') ?? '' },
    prefix: 'webhook-',
    submit: async ({ types, ...values }) => {
      const body = { ...values, types: typesIn(types) }
      if (row === undefined) {
        const { secret } = await call('POST /api/v4/webhooks', { body })
        onMade({ name: values.name, secret })
      } else {
        await call('PUT /api/v4/webhooks/{id}', { params: { id: row.id }, body })
        onClose()
      }
      await client.invalidateQueries({ queryKey: ['GET /api/v4/webhooks'] })
    },
  })
  return (
    <FormDialog
      title={row === undefined ? t('webhooks.new') : t('webhooks.changeTitle', { name: row.name })}
      form={form}
      onClose={onClose}
      preset={row === undefined ? 'submit' : 'save'}
      {...(row === undefined && { submitLabel: t('webhooks.create') })}
      busyLabel={t('words.saving')}
    >
      <TextField
        {...form.field('name')}
        label={t('words.name')}
        hint={t('webhooks.nameHint')}
        required
        maxLength={100}
        autoComplete="off"
      />
      <TextField
        {...form.field('url')}
        label={t('webhooks.url')}
        hint={t('webhooks.urlHint')}
        type="url"
        required
        maxLength={2000}
        exact
      />
      <TextArea
        {...form.field('types')}
        label={t('webhooks.types')}
        hint={t('webhooks.typesHint')}
        rows={4}
      />
    </FormDialog>
  )
}

/** Splits types by lines; the server checks them. */
function typesIn(text: string): EventType[] {
  const types = text.split(/[\s,]+/).filter((type) => type !== '')
  return types as EventType[] // unknown types are refused at the field
}
