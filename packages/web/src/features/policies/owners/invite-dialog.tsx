import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../app/api.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { toasts } from '../../../ui/toasts/store.ts'

/** Invites somebody to become an additional owner of an account. */
export function InviteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const form = useForm({
    initial: { email: '' },
    prefix: 'owner-',
    submit: async ({ email }) => {
      const { message } = await call('POST /api/v4/wallets/{id}/controllers', {
        params: { id },
        body: { email: email.trim() },
      })
      toasts.success(message)
      onClose()
      await client.invalidateQueries({ queryKey: ['GET /api/v4/wallets/{id}/controllers'] })
    },
  })
  return (
    <Dialog
      open
      title={t('owners.inviteTitle')}
      onClose={onClose}
      actions={[
        { preset: 'submit', label: t('owners.inviteDo'), busy: form.busy, busyLabel: t('owners.sending') },
      ]}
    >
      <form {...form.props} className="stack">
        <ul className="dialog-effects">
          <li>{t('owners.inviteEffect')}</li>
          <li>{t('owners.inviteLimits')}</li>
          <li>{t('owners.inviteConsent')}</li>
        </ul>
        <TextField
          {...form.field('email')}
          type="email"
          required
          label={t('owners.address')}
          hint={t('owners.addressHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {/* Enter in a field saves, as the button in the foot does */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
