import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useState } from 'react'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Note } from '../../../ui/page/note.tsx'

interface Begun {
  redirectUrl: string
  until: string
}

/** Asks for a reason, then opens a session as the user in a new tab. */
export function LoginAsDialog({ user, onClose }: { user: StaffUserDetail; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/users/{id}/login-as @staff', everything)
  const [begun, setBegun] = useState<Begun>()
  const form = useForm({
    initial: { reason: '' },
    prefix: 'login-',
    submit: async ({ reason }) => {
      const params = { id: String(user.id) }
      setBegun(await act({ params, body: { reason } }))
    },
  })
  return (
    <Dialog
      open
      title={t('customer.loginTitle', { name: displayAddress(user.email) })}
      onClose={onClose}
      actions={
        begun
          ? []
          : [
              {
                preset: 'submit',
                label: t('customer.loginNow'),
                busyLabel: t('cockpit.working'),
                busy: form.busy,
                onPress: () => form.submit(),
              },
            ]
      }
    >
      {begun ? (
        <Note tone="success" live title={t('customer.loginReady', { time: moment(begun.until) })}>
          <p>{t('customer.loginOnce')}</p>
          <p>
            {/* the code in the address is used up by following it, and no page may learn of ours */}
            <a href={begun.redirectUrl} target="_blank" rel="noreferrer" onClick={onClose}>
              {t('customer.loginOpen', { name: displayAddress(user.email) })}{' '}
              <Icon of={IconExternalLink} size="small" />
            </a>
          </p>
        </Note>
      ) : (
        <form {...form.props} className="stack">
          <ul className="dialog-effects">
            <li>{t('customer.loginLimit')}</li>
            <li>{t('customer.loginMay')}</li>
            <li>{t('customer.loginSeen')}</li>
          </ul>
          <TextArea
            {...form.field('reason')}
            label={t('words.why')}
            hint={t('customer.loginReasonHint')}
            required
            rows={3}
            maxLength={1024}
          />
        </form>
      )}
    </Dialog>
  )
}
