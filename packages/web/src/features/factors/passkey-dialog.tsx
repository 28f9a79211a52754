import type { Routes } from '@gatehouse/contract/routes'
import { useState } from 'react'
import { makePasskey, PasskeyError } from '../../domain/proof/passkey-ceremony.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { longestName } from './factor-calls.ts'
import { platformName } from './platform-name.ts'

export interface PasskeyDialogProps {
  onClose: () => void
  /** The factor is active, and any recovery codes created with it are saved. */
  onAdded: () => void
}

type Added = Routes['POST /api/v4/factors/passkeys']['ok']

/** Sets up a passkey: the name is entered here, everything else happens in the browser. */
export function PasskeyDialog({ onClose, onAdded }: PasskeyDialogProps) {
  const t = useT()
  const [failure, setFailure] = useState<PasskeyError>()
  const [added, setAdded] = useState<Added>()
  const finish = ({ message }: Added) => {
    toasts.success(message)
    onAdded()
  }
  const form = useForm({
    initial: { name: platformName(navigator.userAgent) },
    prefix: 'passkey-',
    submit: async ({ name }) => {
      setFailure(undefined)
      try {
        const answer = await register(name.trim())
        if (answer.recoveryCodes) setAdded(answer)
        else finish(answer)
      } catch (error) {
        if (!(error instanceof PasskeyError)) throw error
        setFailure(error)
      }
    },
  })
  if (added?.recoveryCodes) return <CodesDialog codes={added.recoveryCodes} onDone={() => finish(added)} />
  return (
    <Dialog
      open
      title={t('factors.passkeyTitle')}
      onClose={onClose}
      actions={[
        {
          preset: 'submit',
          label: t('factors.passkeyMake'),
          busy: form.busy,
          busyLabel: t('proof.waiting'),
        },
      ]}
    >
      <p>{t('factors.passkeyText')}</p>
      <form {...form.props} className="stack">
        <TextField
          {...form.field('name')}
          label={t('words.name')}
          hint={t('factors.passkeyNameHint')}
          maxLength={longestName}
          autoComplete="off"
          required
        />
      </form>
      {failure && (
        <Note tone={failure.fault === 'cancelled' ? 'info' : 'danger'} live title={failure.message} />
      )}
    </Dialog>
  )
}

async function register(name: string) {
  const made = await makePasskey(await call('POST /api/v4/factors/passkeys/options'))
  return call('POST /api/v4/factors/passkeys', { body: { ...made, name } })
}
