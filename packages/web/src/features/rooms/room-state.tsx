import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Chip } from '../../ui/facts/status-chip.tsx'

/** Whether a meeting is in progress, and with how many people. */
export function RoomState({ room }: { room: { isOpen: boolean; participants: number } }) {
  const t = useT()
  return room.isOpen ? (
    <Chip tone="success" icon={IconUsers}>
      {t('rooms.openWith', { count: room.participants })}
    </Chip>
  ) : (
    <Chip tone="muted" icon={IconCircle}>
      {t('rooms.closed')}
    </Chip>
  )
}
