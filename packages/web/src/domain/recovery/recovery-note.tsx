import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { variant } from '../../platform/config.ts'
import { hasPermission, isHeldBack, type UserInfo, updateUser, useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import './recovery-note.css'

/**
 * Asks the owner of an account for a recovery address while there is none: with the field at the first
 * sign-in, later as a reminder.
 */
export function RecoveryNote({ asks = false }: { asks?: boolean }) {
  const user = useUser()
  return user && lacksAddress(user) ? <Reminder key={user.id} user={user} asks={asks} /> : null
}

/** Only owners need a recovery address; members can ask their owner. */
function lacksAddress(user: UserInfo): boolean {
  if (variant() !== 'user' || isHeldBack(user) || user.impersonatedBy) return false
  return hasPermission('settings', user) && !user.settings.external_email
}

function Reminder({ user, asks }: { user: UserInfo; asks: boolean }) {
  const t = useT()
  const [isOpen, setOpen] = useState(() => asks && !wasAsked(user.id))
  if (isOpen) {
    const close = () => {
      rememberAsking(user.id)
      setOpen(false)
    }
    return <AddressForm user={user} onClose={close} />
  }
  return (
    <div className="recovery">
      <Note
        tone="warning"
        icon={IconLifebuoy}
        title={t('recovery.missing')}
        actions={
          <Button size="small" onPress={() => setOpen(true)}>
            {t('recovery.add')}
          </Button>
        }
      >
        {t('recovery.missingText')}
      </Note>
    </div>
  )
}

function AddressForm({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initial: { external_email: '' },
    prefix: 'recovery_',
    submit: async ({ external_email }) => {
      const params = { id: String(user.id) }
      await call('PUT /api/v4/users/{id}', { params, body: { external_email: external_email.trim() } })
      toasts.success(t('recovery.saved'))
      updateUser({ settings: { ...user.settings, external_email: external_email.trim() } })
    },
  })
  return (
    <form {...form.props} className="recovery" aria-label={t('recovery.add')}>
      <Panel
        title={t('recovery.title')}
        footer={
          <>
            <span className="spacer" />
            <Button variant="quiet" onPress={onClose} disabled={form.busy}>
              {t('recovery.later')}
            </Button>
            <Button type="submit" variant="primary" busy={form.busy} busyLabel={t('words.saving')}>
              {t('recovery.add')}
            </Button>
          </>
        }
      >
        <div className="stack">
          <p className="text-2">{t('recovery.text')}</p>
          <TextField
            {...form.field('external_email')}
            label={t('recovery.address')}
            hint={t('recovery.hint')}
            type="email"
            autoComplete="email"
            exact
            maxLength={191}
            required
          />
        </div>
      </Panel>
    </form>
  )
}

const askedKey = (id: number) => `recoveryAsked-${id}`

function wasAsked(id: number): boolean {
  return localStorage.getItem(askedKey(id)) !== null
}

function rememberAsking(id: number): void {
  localStorage.setItem(askedKey(id), '1')
}
