import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { InviteFile } from './invite-file.tsx'
import { useInviteFile } from './use-invite-file.ts'

type Way = 'one' | 'file'

/** Invites one address, or all addresses of a file after a preview. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const [way, setWay] = useState<Way>('one')
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
  const action =
    way === 'one'
      ? { label: t('invitations.send'), busy: form.busy, onPress: () => form.submit() }
      : {
          label: file.preview
            ? t('invitations.sendMany', { count: file.preview.count })
            : t('invitations.send'),
          busy: file.busy,
          disabled: !file.preview || file.preview.count === 0,
          onPress: file.send,
        }
  return (
    <Dialog
      open
      title={t('invitations.newTitle')}
      onClose={onClose}
      wide
      actions={[{ preset: 'submit', busyLabel: t('words.sending'), ...action }]}
    >
      <Segmented
        label={t('invitations.way')}
        choices={[
          { value: 'one', label: t('invitations.wayOne') },
          { value: 'file', label: t('words.file') },
        ]}
        value={way}
        onValue={setWay}
      />
      {way === 'one' ? (
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
      ) : (
        <InviteFile file={file} />
      )}
    </Dialog>
  )
}
