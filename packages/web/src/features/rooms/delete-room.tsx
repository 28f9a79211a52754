import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useRestore } from '../../domain/directory/use-restore.ts'
import { ObjectRemovalCost } from '../../domain/subscriptions/removal-cost.tsx'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { config } from '../../platform/config.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { offerUndo } from '../../ui/toasts/offer-undo.ts'
import { meetingAddress, roomKind } from './room-kind.ts'

/** Asks before a room is deleted: what goes, who is in it right now, and how it comes back. */
export function DeleteRoom({ room, onClose }: { room: RoomDetail; onClose: () => void }) {
  const t = useT()
  const remove = useRemove(room)
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
          busyLabel: t('rooms.deleting'),
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

function useRemove({ id }: RoomDetail): () => Promise<void> {
  const t = useT()
  const client = useQueryClient()
  const navigate = useNavigate()
  const restore = useRestore(roomKind)
  return async () => {
    const { message } = await call('DELETE /api/v4/rooms/{id}', { params: { id: String(id) } })
    offerUndo(message, t('rooms.undo'), () => restore(id))
    forgetKind(client, roomKind, { later: true })
    await navigate({ to: '/rooms', ignoreBlocker: true })
  }
}
