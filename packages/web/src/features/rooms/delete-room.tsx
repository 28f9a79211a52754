import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { useRemove } from '../../domain/directory/use-remove.ts'
import { ObjectRemovalCost } from '../../domain/subscriptions/removal-cost.tsx'
import { useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { meetingAddress } from '../../platform/navigation/meeting-address.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'

/** Confirms deleting a room: what is deleted, who is in it, and how to restore it. */
export function DeleteRoom({ room, onClose }: { room: RoomDetail; onClose: () => void }) {
  const t = useT()
  const remove = useRemove('room', room.id)
  return (
    <Dialog
      open
      title={t('rooms.deleteTitle', { name: room.name })}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label: t('rooms.deleteNow'),
          busyLabel: t('words.deleting'),
          onPress: remove,
        },
      ]}
    >
      <ul className="dialog-effects">
        {room.isOpen && <li>{t('rooms.deleteEnds', { count: room.participants })}</li>}
        <li className="rooms-address">{t('rooms.deleteAddress', { address: meetingAddress(room.name) })}</li>
        <li>
          <ObjectRemovalCost type="room" id={room.id} />
        </li>
      </ul>
      <p>{t('rooms.deleteBack', { days: config['app.retention_days'] })}</p>
    </Dialog>
  )
}
