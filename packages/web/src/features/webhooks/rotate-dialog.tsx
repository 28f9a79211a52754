import type { Webhook } from '@gatehouse/contract/webhooks/webhooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** Hours for which messages are also signed with the previous secret. */
const overlaps = [0, 1, 24, 168] as const

interface RotateDialogProps {
  row: Webhook
  onClose: () => void
}

/** Replaces the secret of a webhook, and shows the new one once. */
export function RotateDialog({ row, onClose }: RotateDialogProps) {
  const [secret, setSecret] = useState<string>()
  return secret === undefined ? (
    <OverlapDialog row={row} onRotated={setSecret} onClose={onClose} />
  ) : (
    <SecretDialog name={row.name} secret={secret} onClose={onClose} />
  )
}

function OverlapDialog({
  row,
  onRotated,
  onClose,
}: RotateDialogProps & { onRotated: (key: string) => void }) {
  const t = useT()
  const client = useQueryClient()
  const form = useForm({
    initial: { overlapHours: '24' },
    prefix: 'webhook-',
    submit: async ({ overlapHours }) => {
      const body = { overlapHours: Number(overlapHours) }
      const { secret } = await call('POST /api/v4/webhooks/{id}/rotate', { params: { id: row.id }, body })
      onRotated(secret)
      await client.invalidateQueries({ queryKey: ['GET /api/v4/webhooks'] })
    },
  })
  return (
    <FormDialog
      title={t('webhooks.rotateTitle', { name: row.name })}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('webhooks.rotate')}
      busyLabel={t('words.saving')}
    >
      <p>{t('webhooks.rotateText')}</p>
      <Select
        {...form.field('overlapHours')}
        label={t('webhooks.overlap')}
        options={overlaps.map((hours) => ({
          value: String(hours),
          label: hours === 0 ? t('webhooks.atOnce') : t('webhooks.afterHours', { hours }),
        }))}
      />
    </FormDialog>
  )
}
