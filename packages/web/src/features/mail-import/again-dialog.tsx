import type { MailImport } from '@gatehouse/contract/mail/mail-import'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'

/** Asks for the password of the old mailbox, which isn't kept. */
export function AgainDialog({ id, of: one, onClose }: { id: string; of: MailImport; onClose: () => void }) {
  const t = useT()
  const repeat = useAct('POST /api/v4/users/{id}/mail-imports/{import}/again', [
    'GET /api/v4/users/{id}/mail-imports',
  ])
  const form: Form<{ password: string }> = useForm({
    initial: { password: '' },
    prefix: 'mail-import-again-',
    submit: (body) => repeat({ params: { id, import: one.id }, body }, onClose),
  })
  return (
    <FormDialog
      title={t('mailimport.again')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('mailimport.start')}
      busyLabel={t('mailimport.starting')}
    >
      <p>{t('mailimport.againText')}</p>
      <PasswordField
        {...form.field('password')}
        label={t('mailimport.passwordOf', { login: one.login })}
        autoComplete="off"
        required
      />
    </FormDialog>
  )
}
