import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { isCancelled } from '../../platform/api/api-error.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { type UserInfo, useUser } from '../../platform/session/auth.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'

export interface SupportDialogProps {
  open: boolean
  onClose: () => void
}

/**
 * Contact form for support, available to everyone. Input is kept until it is sent or another user signs in.
 */
export function SupportDialog(props: SupportDialogProps) {
  const user = useUser()
  return <SupportForm key={user?.id ?? 'visitor'} user={user} {...props} />
}

function SupportForm({ open, onClose, user }: SupportDialogProps & { user: UserInfo | undefined }) {
  const t = useT()
  const send = useAct('POST /api/v4/support/request')
  const running = useRef<AbortController>(undefined)
  const form = useForm({
    initial: suggestion(user),
    prefix: 'support-',
    submit: async ({ user, name, ...rest }) => {
      running.current = new AbortController()
      const { signal } = running.current
      try {
        const body = { user: user || null, name: name || null, ...rest }
        await send({ body, signal }, () => {
          form.reset({ user, name, email: rest.email, summary: '', body: '' })
          onClose()
        })
      } catch (error) {
        if (!isCancelled(error)) throw error
      }
    },
  })

  const close = () => {
    running.current?.abort()
    onClose()
  }

  // Clear old errors when the dialog is reopened.
  const clearMarks = useEffectEvent(() => form.setErrors({}))
  useEffect(() => {
    if (open) clearMarks()
  }, [open])

  const locked = form.busy
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('words.contactSupport')}
      actions={[
        { preset: 'submit', label: t('words.send'), busy: form.busy, busyLabel: t('support.sending') },
      ]}
    >
      <form {...form.props} className="stack">
        <TextField
          {...form.field('user')}
          label={t('support.user')}
          hint={t('support.userHint')}
          optional
          maxLength={256}
          autoComplete="off"
          readOnly={locked}
        />
        <TextField
          {...form.field('name')}
          label={t('words.name')}
          placeholder={t('words.yourName')}
          optional
          maxLength={256}
          autoComplete="name"
          readOnly={locked}
        />
        <TextField
          {...form.field('email')}
          label={t('words.emailAddress')}
          placeholder={t('support.emailPlaceholder')}
          type="email"
          required
          autoComplete="email"
          readOnly={locked}
        />
        <TextField
          {...form.field('summary')}
          label={t('support.summary')}
          placeholder={t('support.summaryPlaceholder')}
          required
          maxLength={512}
          autoComplete="off"
          readOnly={locked}
        />
        <TextArea {...form.field('body')} label={t('words.message')} required rows={5} readOnly={locked} />
        {/* Enter in a field sends, as the button in the foot does */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

/** Prefills the user's known data. */
function suggestion(user: UserInfo | undefined) {
  const { first_name, last_name } = user?.settings ?? {}
  return {
    user: user ? String(user.id) : '',
    name: [first_name, last_name].filter(Boolean).join(' '),
    email: displayAddress(user?.email ?? ''),
    summary: '',
    body: '',
  }
}
