import { useEffect, useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useStore } from '../../../state/store.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import type { MediaState } from '../room/media-port.ts'
import { useMeeting, useRoom } from './meeting-context.ts'
import { shortcutsEnabled } from './shortcuts.ts'
import { type ConnectionFacts, look, type StreamFacts } from './statistics.ts'

/** Polling interval in milliseconds; reference §1.15. */
const every = 3000

const states: Record<MediaState, MessageKey> = {
  idle: 'meeting.mediaIdle',
  connecting: 'meeting.mediaConnecting',
  connected: 'meeting.mediaConnected',
  reconnecting: 'meeting.mediaReconnecting',
}

const shortcuts = [
  ['M', 'meeting.keyMicrophone'],
  ['C', 'meeting.keyCamera'],
  ['H', 'meeting.keyHand'],
  ['T', 'meeting.keyChat'],
  ['P', 'meeting.keyPeople'],
  ['F', 'meeting.keyFull'],
  ['?', 'meeting.keyStatistics'],
] as const

/** Live statistics of the connections, and the keyboard shortcuts. */
export function StatisticsDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useT()
  const meeting = useMeeting()
  const state = useStore(meeting.mediaState)
  const { peers } = useRoom()
  const connections = useLooks()
  const hasKeys = useStore(shortcutsEnabled)
  return (
    <Dialog open wide title={t('meeting.statistics')} onClose={onClose}>
      <Facts
        facts={[
          { label: t('words.room'), value: name },
          { label: t('words.people'), value: number(peers.length) },
          { label: t('meeting.mediaState'), value: t(states[state]) },
          { label: t('meeting.relay'), value: t(meeting.media.usesRelay ? 'words.yes' : 'meeting.no') },
        ]}
      />
      {connections.map((connection) => (
        <Connection key={connection.direction} facts={connection} />
      ))}
      <section>
        <h3>{t('meeting.keys')}</h3>
        <Checkbox
          id="meeting-keys"
          label={t('meeting.keysOn')}
          checked={hasKeys}
          onChecked={shortcutsEnabled.set}
        />
        <dl className="stage-keys">
          {shortcuts.map(([key, label]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{t(label)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Dialog>
  )
}

function useLooks(): ConnectionFacts[] {
  const meeting = useMeeting()
  const [facts, setFacts] = useState<ConnectionFacts[]>([])
  useEffect(() => {
    const counted = new Map()
    let isShown = true
    const again = () =>
      void look(meeting.media, counted).then(
        (found) => isShown && setFacts(found),
        // a connection that was just closed has no statistics
        () => undefined,
      )
    again()
    const timer = setInterval(again, every)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [meeting])
  return facts
}

function Connection({ facts }: { facts: ConnectionFacts }) {
  const t = useT()
  const { direction, state, way, roundTrip, streams } = facts
  const line = [state, way, roundTrip !== undefined && t('meeting.roundTrip', { ms: number(roundTrip) })]
  return (
    <section>
      <h3>{t(direction === 'send' ? 'meeting.sending' : 'meeting.receiving')}</h3>
      <p className="small text-2">{line.filter(Boolean).join(' · ')}</p>
      {streams.length > 0 && (
        <div className="stage-scroll">
          <table className="stage-table">
            <thead>
              <tr>
                <th scope="col">{t('meeting.stream')}</th>
                <th scope="col">{t('meeting.codec')}</th>
                <th scope="col">{t('meeting.bitrate')}</th>
                <th scope="col">{t('meeting.loss')}</th>
                <th scope="col">{t('meeting.picture')}</th>
              </tr>
            </thead>
            <tbody>
              {streams.map((stream) => (
                <Stream key={stream.id} stream={stream} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Stream({ stream: { kind, codec, bitrate, loss, size, frames } }: { stream: StreamFacts }) {
  const t = useT()
  return (
    <tr>
      <td>{kind}</td>
      <td>{codec}</td>
      <td>{t('meeting.kilobits', { rate: number(Math.round(bitrate / 1000)) })}</td>
      <td>{number(loss, { maximumFractionDigits: 1 })} %</td>
      <td>{size && t('meeting.frames', { size, frames: number(frames) })}</td>
    </tr>
  )
}
