import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../app/api.ts'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { tenantChanged } from './tenant-calls.ts'

export interface ConfirmNameDialogProps {
  id: number
  name: string
  onClose: () => void
}

/** An administrator confirms a host or domain without the DNS, and says why. */
export function ConfirmNameDialog({ id, name, onClose }: ConfirmNameDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const form = useForm({
    initial: { reason: '' },
    prefix: 'confirm-name-',
    submit: async ({ reason }) => {
      const params = { id: String(id), name }
      const route = 'POST /api/v4/tenants/{id}/names/{name}/confirm'
      const { message } = await call(route, { params, body: { reason: reason.trim() } })
      toasts.success(message)
      onClose()
      tenantChanged(client)
    },
  })
  return (
    <Dialog
      open
      title={t('tenants.confirmTitle', { name })}
      onClose={onClose}
      actions={[
        {
          preset: 'submit',
          label: t('tenants.confirmSubmit'),
          busyLabel: t('form.saving'),
          busy: form.busy,
          onPress: () => form.submit(),
        },
      ]}
    >
      <form {...form.props} className="stack">
        <p>{t('tenants.confirmText')}</p>
        <TextField
          {...form.field('reason')}
          label={t('tenants.confirmReason')}
          hint={t('tenants.confirmReasonHint')}
          maxLength={255}
          autoComplete="off"
          required
        />
      </form>
    </Dialog>
  )
}
