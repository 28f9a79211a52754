import IconHandStop from '@tabler/icons-react/dist/esm/icons/IconHandStop.mjs'
import { useT } from '../../../../i18n/i18n.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { handQueue } from '../../room/room-views.ts'
import { useRoom } from '../meeting-context.ts'
import { PersonIcon, useNameOf } from './person-icon.tsx'
import { PersonMenu } from './person-menu.tsx'

/** Raised hands, in the order raised. */
export function HandQueue() {
  const t = useT()
  const room = useRoom()
  const queue = handQueue(room)
  if (queue.length === 0) return null
  return (
    <section className="stage-queue" aria-label={t('meeting.hands')}>
      <h2>
        <Icon of={IconHandStop} size="small" />
        {t('meeting.hands')}
      </h2>
      <ol>
        {queue.map((peer) => (
          <li key={peer.id}>
            <NameTag peer={peer} isOwn={peer.id === room.me} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A person shown by name only. */
export function NameTag({ peer, isOwn }: { peer: Parameters<typeof PersonMenu>[0]['peer']; isOwn: boolean }) {
  const name = useNameOf(peer, isOwn)
  return (
    <PersonMenu
      peer={peer}
      className={peer.isConnected ? 'stage-tag' : 'stage-tag stage-away'}
      face={
        <>
          <PersonIcon peer={peer} />
          <bdi className="truncate">{name}</bdi>
        </>
      }
    />
  )
}
