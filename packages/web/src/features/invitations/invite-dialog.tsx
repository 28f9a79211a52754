import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { InviteFile } from './invite-file.tsx'
import { useInviteFile } from './use-invite-file.ts'

/** Invites one address, or, once a file is chosen, all its addresses after a preview. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const done = async (message: string) => {
    toasts.success(message)
    onClose()
    await client.invalidateQueries({ queryKey: ['GET /api/v4/invitations'] })
  }
  const form = useForm({
    initial: { email: '', first_name: '', last_name: '' },
    prefix: 'invite-',
    submit: async ({ email, first_name, last_name }) => {
      const { message } = await call('POST /api/v4/invitations', {
        body: {
          email: email.trim(),
          first_name: first_name.trim() || null,
          last_name: last_name.trim() || null,
        },
      })
      await done(message)
    },
  })
  const file = useInviteFile(done)
  const isFile = file.name !== undefined
  const action = isFile
    ? {
        label: file.preview
          ? t('invitations.sendMany', { count: file.preview.count })
          : t('invitations.send'),
        busy: file.busy,
        disabled: !file.preview || file.preview.count === 0,
        onPress: file.send,
      }
    : { label: t('invitations.send'), busy: form.busy, onPress: () => form.submit() }
  return (
    <Dialog
      open
      title={t('invitations.newTitle')}
      onClose={onClose}
      wide
      footnote={isFile && file.preview?.count === 0 ? t('invitations.noneToSend') : undefined}
      actions={[{ preset: 'submit', busyLabel: t('words.sending'), ...action }]}
    >
      {!isFile && (
        <form {...form.props} className="stack">
          <TextField
            {...form.field('email')}
            label={t('words.emailAddress')}
            hint={t('invitations.emailHint')}
            type="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={191}
            required
          />
          <TextField
            {...form.field('first_name')}
            label={t('words.firstName')}
            optional
            autoComplete="off"
            maxLength={50}
          />
          <TextField
            {...form.field('last_name')}
            label={t('words.lastName')}
            optional
            autoComplete="off"
            maxLength={50}
          />
          {/* Enter sends a form of several fields only where it has a button of its own */}
          <button type="submit" hidden />
        </form>
      )}
      {!isFile && <p className="invitations-or">{t('invitations.or')}</p>}
      <InviteFile file={file} />
      {isFile && (
        <p>
          <Button size="small" onPress={file.clear}>
            {t('invitations.wayOne')}
          </Button>
        </p>
      )}
    </Dialog>
  )
}
