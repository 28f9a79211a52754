import type { LockdownReport } from '@gatehouse/contract/sessions/own-sessions'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordInput } from '../../domain/password-input/password-input.tsx'
import { placePasswordErrors } from '../../domain/password-input/place-errors.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Panel } from '../../ui/page/panel.tsx'

interface LockdownProps {
  onLocked: (report: LockdownReport) => void
}

/** Emergency action when someone else seems to have access. */
export function LockdownCard({ onLocked }: LockdownProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <div className="lockdown-card">
      <Panel title={t('sessions.lockdownTitle')}>
        <div className="lockdown-card-body">
          <p>{t('sessions.lockdownText')}</p>
          <Button variant="danger" icon={IconLock} onPress={() => setOpen(true)}>
            {t('sessions.lockdown')}
          </Button>
        </div>
      </Panel>
      {open && <LockdownDialog onLocked={onLocked} onClose={() => setOpen(false)} />}
    </div>
  )
}

const initial = { withPassword: true, password: '', password_confirmation: '' }

/** Lists the consequences and asks for a new password. */
function LockdownDialog({ onLocked, onClose }: LockdownProps & { onClose: () => void }) {
  const t = useT()
  const user = useUser()
  const client = useQueryClient()
  const form = useForm({
    initial,
    prefix: 'lockdown-',
    placeErrors: placePasswordErrors,
    submit: async ({ withPassword, password, password_confirmation }) => {
      const body = withPassword ? { password, password_confirmation } : {}
      const { revoked } = await call('POST /api/v4/lockdown', { body })
      onClose()
      onLocked(revoked)
      // everything on the security screens has changed
      await client.invalidateQueries()
    },
  })
  const { password, password_confirmation, withPassword } = form.values
  return (
    <FormDialog
      cancelFocus
      form={form}
      title={t('sessions.lockdownDialog')}
      onClose={onClose}
      preset="delete"
      submitLabel={t('sessions.lockdownDo')}
      icon={IconLock}
      busyLabel={t('sessions.lockdownBusy')}
    >
      <ul className="dialog-effects">
        <li>{t('sessions.lockdownSessions')}</li>
        <li>{t('sessions.lockdownAppPasswords')}</li>
        <li>{t('sessions.lockdownApps')}</li>
        <li>{t('sessions.lockdownCompanions')}</li>
        <li>{t('sessions.lockdownLinks')}</li>
        <li>{t('sessions.lockdownStays')}</li>
      </ul>
      <Checkbox
        {...form.check('withPassword')}
        label={t('sessions.lockdownPassword')}
        hint={t('sessions.lockdownPasswordHint')}
      />
      {withPassword && (
        <PasswordInput
          prefix="lockdown-"
          value={{ password, password_confirmation }}
          onValue={(value) => {
            form.set('password', value.password)
            form.set('password_confirmation', value.password_confirmation)
          }}
          errors={{
            password: form.errors.password?.text,
            password_confirmation: form.errors.password_confirmation?.text,
          }}
          username={user?.email}
        />
      )}
      <button type="submit" hidden />
    </FormDialog>
  )
}
