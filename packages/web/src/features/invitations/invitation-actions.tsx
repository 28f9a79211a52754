import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Invitation } from '@gatehouse/contract/invitations'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { canResend } from './invitation-state.ts'

/** Resends or revokes an invitation. */
export function InvitationActions({ invitation }: { invitation: Invitation }) {
  const t = useT()
  const resend = useAct('POST /api/v4/invitations/{id}/resend', ['GET /api/v4/invitations'])
  const remove = useAct('DELETE /api/v4/invitations/{id}', ['GET /api/v4/invitations'])
  const [asked, setAsked] = useState(false)
  const { id, email, isCompleted } = invitation
  return (
    <span className="invitations-actions">
      {canResend(invitation) && (
        <Button
          variant="quiet"
          icon={IconSend}
          label={t('invitations.resendTo', { email: displayAddress(email) })}
          onPress={() => resend({ params: { id }, body: {} })}
        />
      )}
      <Button
        variant="quiet"
        icon={IconTrash}
        label={t('invitations.deleteOf', { email: displayAddress(email) })}
        onPress={() => setAsked(true)}
      />
      <Dialog
        open={asked}
        title={t('invitations.deleteTitle', { email: displayAddress(email) })}
        onClose={() => setAsked(false)}
        cancelFocus
        actions={[
          {
            preset: 'delete',
            label: t('invitations.deleteNow'),
            onPress: () => remove({ params: { id } }),
          },
        ]}
      >
        <p>{t(isCompleted ? 'invitations.deleteCompleted' : 'invitations.deleteText')}</p>
      </Dialog>
    </span>
  )
}
