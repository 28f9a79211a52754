import { useT } from '../../i18n/i18n.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'

export interface ConfirmNameDialogProps {
  name: string
  /** Sends the confirmation. */
  confirm: (reason: string) => Promise<{ message: string }>
  onConfirmed: () => void
  onClose: () => void
}

/** Lets an administrator confirm a host or domain without DNS, with a reason. */
export function ConfirmNameDialog({ name, confirm, onConfirmed, onClose }: ConfirmNameDialogProps) {
  const t = useT()
  const act = useActWith()
  const form = useForm({
    initial: { reason: '' },
    prefix: 'confirm-name-',
    submit: async ({ reason }) => {
      await act(
        () => confirm(reason.trim()),
        () => {
          onClose()
          onConfirmed()
        },
      )
    },
  })
  return (
    <FormDialog
      title={t('tenants.confirmTitle', { name })}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('words.confirm')}
      busyLabel={t('words.saving')}
    >
      <p>{t('tenants.confirmText')}</p>
      <TextField
        {...form.field('reason')}
        label={t('words.reason')}
        hint={t('tenants.confirmReasonHint')}
        maxLength={255}
        autoComplete="off"
        required
      />
    </FormDialog>
  )
}
