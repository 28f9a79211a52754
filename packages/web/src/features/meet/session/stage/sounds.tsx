import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../../i18n/i18n.ts'
import { useStore } from '../../../../state/store.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import type { RemoteSource } from '../../room/media-port.ts'
import { loudnessOf } from '../../room/room-views.ts'
import { useMeeting, useRoom } from '../meeting-context.ts'

/** Audio of all sources. If the browser requires a user gesture first, shows a button. */
export function Sounds() {
  const t = useT()
  const room = useRoom()
  const remotes = useStore(useMeeting().remotes)
  const [isBlocked, setBlocked] = useState(false)
  const [round, setRound] = useState(0)
  const heard = remotes.filter(({ source }) => source === 'mic' || source === 'screenaudio')
  return (
    <>
      {heard.map((remote) => {
        const peer = room.peers.find(({ id }) => id === remote.peer)
        return (
          <Sound
            key={`${remote.peer}/${remote.source}`}
            remote={remote}
            loudness={peer ? loudnessOf(room, peer) : 1}
            round={round}
            onBlocked={() => setBlocked(true)}
          />
        )
      })}
      {isBlocked && (
        <div className="stage-banner" role="alert">
          <span>{t('meeting.soundBlocked')}</span>
          <Button
            size="small"
            variant="primary"
            onPress={() => {
              setBlocked(false)
              setRound(round + 1)
            }}
          >
            {t('meeting.soundOn')}
          </Button>
        </div>
      )}
    </>
  )
}

interface SoundProps {
  remote: RemoteSource
  /** 0 to 1. */
  loudness: number
  /** Counter of retries. */
  round: number
  onBlocked: () => void
}

function Sound({ remote: { track }, loudness, round, onBlocked }: SoundProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const blocked = useRef(onBlocked)
  useEffect(() => {
    blocked.current = onBlocked
  })
  useEffect(() => {
    const element = audio.current
    if (element) element.srcObject = new MediaStream([track])
  }, [track])
  useEffect(() => {
    if (audio.current) audio.current.volume = loudness
  }, [loudness])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a retry
  useEffect(() => {
    audio.current?.play().catch((failure: unknown) => {
      if (failure instanceof DOMException && failure.name === 'NotAllowedError') blocked.current()
    })
  }, [round, track])
  // biome-ignore lint/a11y/useMediaCaption: live speech has no captions
  return <audio ref={audio} autoPlay />
}
