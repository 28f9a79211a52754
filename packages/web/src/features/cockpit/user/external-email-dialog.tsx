import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

/** Changes the contact address of a user who can't sign in. */
export function ExternalEmailDialog({ user, onClose }: { user: StaffUserDetail; onClose: () => void }) {
  const t = useT()
  const act = useAct('PUT /api/v4/users/{id} @staff', everything)
  const form = useForm({
    initial: { external_email: user.settings.external_email ?? '', comment: '' },
    prefix: 'external-',
    submit: async ({ external_email: address, comment }) => {
      const body = { external_email: address.trim() || null, comment: comment.trim() || null }
      await act({ params: { id: String(user.id) }, body })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('customer.externalTitle', { name: displayAddress(user.email) })}
      form={form}
      onClose={onClose}
      preset="save"
      busyLabel={t('words.saving')}
    >
      <TextField
        {...form.field('external_email')}
        label={t('customer.externalEmail')}
        hint={t('customer.externalHint')}
        type="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={191}
        optional
      />
      <TextArea
        {...form.field('comment')}
        label={t('cockpit.comment')}
        hint={t('cockpit.commentHint')}
        optional
        rows={3}
        maxLength={1024}
      />
    </FormDialog>
  )
}
