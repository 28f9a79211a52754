import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

export interface PasswordLinkDialogProps {
  user: StaffUserDetail
  /** Recipient of the link. */
  address: string
  onClose: () => void
}

/** Asks for a reason, then has a password link mailed to the user. Staff never see the link. */
export function PasswordLinkDialog({ user, address, onClose }: PasswordLinkDialogProps) {
  const t = useT()
  const act = useAct('POST /api/v4/users/{id}/password-link', everything)
  const form = useForm({
    initial: { reason: '' },
    prefix: 'link-',
    submit: async ({ reason }) => {
      const params = { id: String(user.id) }
      await act({ params, body: { reason } })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('customer.linkTitle', { name: displayAddress(user.email) })}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('customer.linkNow')}
      busyLabel={t('cockpit.working')}
    >
      <ul className="dialog-effects">
        <li>{t('customer.linkEffect', { address })}</li>
        <li>{t('customer.linkUnseen')}</li>
        <li>{t('customer.linkKept')}</li>
      </ul>
      <TextArea
        {...form.field('reason')}
        label={t('words.why')}
        hint={t('customer.loginReasonHint')}
        required
        rows={3}
        maxLength={1024}
      />
    </FormDialog>
  )
}
