import { useT } from '../../../../i18n/i18n.ts'
import { inNames } from '../../room/room-views.ts'
import { useRoom } from '../meeting-context.ts'
import { NameTag } from './hand-queue.tsx'

/** Listeners and interpreters, below the tiles. */
export function NamesList() {
  const t = useT()
  const room = useRoom()
  const names = inNames(room)
  if (names.length === 0) return null
  return (
    <section className="stage-names" aria-label={t('meeting.listeners')}>
      <ul>
        {names.map((peer) => (
          <li key={peer.id}>
            <NameTag peer={peer} isOwn={peer.id === room.me} />
          </li>
        ))}
      </ul>
    </section>
  )
}
