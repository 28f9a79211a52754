import type { ApiKey } from '@gatehouse/contract/sessions/api-keys'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { ExpiryField, expiryAt, initialExpiry } from './expiry-field.tsx'
import { KeyDialog } from './key-dialog.tsx'

interface RotateDialogProps {
  row: ApiKey
  maxDays: number | null
  onClose: () => void
}

/** Hours for which the previous key can stay valid. */
const overlaps = [0, 1, 24, 168] as const

/** Replaces an API key by a new one with the same permissions, and shows it once. */
export function RotateDialog({ row, maxDays, onClose }: RotateDialogProps) {
  const [secret, setSecret] = useState<string>()
  return secret === undefined ? (
    <OverlapDialog row={row} maxDays={maxDays} onRotated={setSecret} onClose={onClose} />
  ) : (
    <KeyDialog name={row.name} secret={secret} onClose={onClose} />
  )
}

interface OverlapDialogProps extends RotateDialogProps {
  onRotated: (key: string) => void
}

function OverlapDialog({ row, maxDays, onRotated, onClose }: OverlapDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const form = useForm({
    initial: { overlapHours: '24', ...initialExpiry, ...(row.expires_at === null && never(maxDays)) },
    prefix: 'api-key-',
    submit: async ({ overlapHours, ...expiry }) => {
      const body = { overlapHours: Number(overlapHours), expires_at: expiryAt(expiry) }
      const { key } = await call('POST /api/v4/api-keys/{id}/rotate', { params: { id: row.id }, body })
      onRotated(key)
      await client.invalidateQueries({ queryKey: ['GET /api/v4/api-keys'] })
    },
  })
  return (
    <FormDialog
      title={t('apikeys.rotateTitle', { name: row.name })}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('apikeys.rotate')}
      busyLabel={t('apikeys.creating')}
    >
      <p>{t('apikeys.rotateText')}</p>
      <Select
        {...form.field('overlapHours')}
        label={t('apikeys.overlap')}
        options={overlaps.map((hours) => ({
          value: String(hours),
          label: hours === 0 ? t('apikeys.atOnce') : t('apikeys.afterHours', { hours }),
        }))}
      />
      <ExpiryField form={form} maxDays={maxDays} />
    </FormDialog>
  )
}

function never(maxDays: number | null) {
  return maxDays === null ? { expiry: 'never' } : {}
}
