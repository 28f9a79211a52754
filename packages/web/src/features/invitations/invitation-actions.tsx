import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Invitation } from '@gatehouse/contract/invitations'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { canResend } from './invitation-state.ts'

/** Sends an invitation again, or takes it back. */
export function InvitationActions({ invitation }: { invitation: Invitation }) {
  const t = useT()
  const client = useQueryClient()
  const [asked, setAsked] = useState(false)
  const { id, email, isCompleted } = invitation
  const done = async ({ message }: { message: string }) => {
    toasts.success(message)
    await client.invalidateQueries({ queryKey: ['GET /api/v4/invitations'] })
  }
  return (
    <span className="invitations-actions">
      {canResend(invitation) && (
        <Button
          variant="quiet"
          icon={IconSend}
          label={t('invitations.resendTo', { email: displayAddress(email) })}
          onPress={() =>
            call('POST /api/v4/invitations/{id}/resend', { params: { id }, body: {} }).then(done)
          }
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
            onPress: () => call('DELETE /api/v4/invitations/{id}', { params: { id } }).then(done),
          },
        ]}
      >
        <p>{t(isCompleted ? 'invitations.deleteCompleted' : 'invitations.deleteText')}</p>
      </Dialog>
    </span>
  )
}
