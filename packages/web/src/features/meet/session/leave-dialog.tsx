import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconUsersMinus from '@tabler/icons-react/dist/esm/icons/IconUsersMinus.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useMeeting, useRoom } from './meeting-context.ts'

/** Lets an owner leave or end the meeting for everyone, to prevent doing so by accident. */
export function LeaveDialog({ onClose, onLeave }: { onClose: () => void; onLeave: () => unknown }) {
  const t = useT()
  const meeting = useMeeting()
  const { peers } = useRoom()
  const others = peers.length - 1
  return (
    <Dialog
      open
      title={t('meeting.leaveTitle')}
      onClose={onClose}
      cancelFocus
      actions={[
        { icon: IconLogout, label: t('words.leave'), onPress: onLeave },
        {
          preset: 'delete',
          icon: IconUsersMinus,
          label: t('meeting.endForAll'),
          onPress: () => meeting.ask('moderator:closeRoom', {}),
        },
      ]}
    >
      <p>{t('meeting.leaveText', { count: others })}</p>
    </Dialog>
  )
}
