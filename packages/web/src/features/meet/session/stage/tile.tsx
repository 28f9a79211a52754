import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconMicrophoneOff from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs'
import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs'
import IconPinnedOff from '@tabler/icons-react/dist/esm/icons/IconPinnedOff.mjs'
import IconScreenShare from '@tabler/icons-react/dist/esm/icons/IconScreenShare.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconVideoOff from '@tabler/icons-react/dist/esm/icons/IconVideoOff.mjs'
import IconVolume from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs'
import IconVolumeOff from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs'
import IconWifiOff from '@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useT } from '../../../../i18n/i18n.ts'
import { useStore } from '../../../../state/store.ts'
import { initials } from '../../../../ui/facts/avatar.tsx'
import { type Glyph, Icon } from '../../../../ui/icon.tsx'
import type { Rect } from '../../room/layout.ts'
import { isTile, type StageTile } from '../../room/stage.ts'
import { useMeeting, useRemote, useRoom } from '../meeting-context.ts'
import { PersonIcon, useNameOf } from '../people/person-icon.tsx'
import { PersonMenu } from '../people/person-menu.tsx'
import { useTileWatch } from './tile-watch.ts'
import { Video } from './video.tsx'

export interface TileProps {
  tile: StageTile
  place: Rect
  onRatio?: (ratio: number) => void
}

/** Tile of a person or a shared screen. */
export function Tile({ tile, place, onRatio }: TileProps) {
  const { peer, source, isOwn } = tile
  const t = useT()
  const room = useRoom()
  const frame = useRef<HTMLElement>(null)
  const [isActive, setActive] = useState(false)
  const track = useTrack(tile)
  const [pictured, setPictured] = useState<MediaStreamTrack>()
  const name = useNameOf(peer, isOwn)
  const label =
    source === 'screen' ? t(isOwn ? 'meeting.ownScreen' : 'meeting.screenOf', { name: peer.nickname }) : name
  const isSpeaking = source === 'cam' && room.speaking.includes(peer.id)
  useTileWatch(frame, isOwn ? undefined : { peer: peer.id, source })
  const classes = ['stage-tile', isSpeaking && 'stage-speaking', isActive && 'stage-active']
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a tap shows controls that the keyboard reaches anyway
    <article
      ref={frame}
      className={classes.filter(Boolean).join(' ')}
      aria-label={label}
      style={{ left: place.left, top: place.top, width: place.width, height: place.height }}
      onClick={(event) => event.target instanceof HTMLVideoElement && setActive(!isActive)}
    >
      {track && (
        <Video
          track={track}
          label={label}
          mirrored={isOwn && source === 'cam'}
          whole={source === 'screen'}
          onRatio={onRatio}
          onPicture={setPictured}
        />
      )}
      {(!track || track !== pictured) && (
        <span className="stage-initials" aria-hidden="true">
          {initials(peer.nickname, '?') || <Icon of={IconVideoOff} />}
        </span>
      )}
      {!peer.isConnected && (
        <p className="stage-tile-note">
          <Icon of={IconWifiOff} size="small" />
          {t('meeting.comesBack')}
        </p>
      )}
      <PersonMenu
        peer={peer}
        className="stage-who"
        face={
          <>
            <Marks tile={tile} />
            <bdi className="truncate">{label}</bdi>
          </>
        }
      />
      <TileActs tile={tile} frame={frame} />
    </article>
  )
}

/** Returns the video track of a tile; undefined while the camera is off. */
function useTrack({ peer, source, isOwn }: StageTile): MediaStreamTrack | undefined {
  const remote = useRemote(peer.id, source)
  const { camera, screen } = useStore(useMeeting().local.state)
  if (!isOwn) return remote && !remote.muted ? remote.track : undefined
  if (source === 'screen') return screen.find(({ kind }) => kind === 'video')
  return camera.muted ? undefined : camera.track
}

/** Shows the name and whether the microphone is off. */
function Marks({ tile: { peer, source, isOwn } }: { tile: StageTile }) {
  const t = useT()
  const microphone = useRemote(peer.id, 'mic')
  const own = useStore(useMeeting().local.state).microphone
  if (source === 'screen') return <Icon of={IconScreenShare} size="small" />
  const isSilent = isOwn ? !own.track || own.muted : !microphone || microphone.muted
  return (
    <>
      {isSilent && (
        <span className="stage-off">
          <Icon of={IconMicrophoneOff} size="small" label={t('words.muted')} />
        </span>
      )}
      <PersonIcon peer={peer} />
    </>
  )
}

function TileActs({ tile, frame }: { tile: StageTile; frame: RefObject<HTMLElement | null> }) {
  const { peer, source, isOwn } = tile
  const t = useT()
  const meeting = useMeeting()
  const { pinned } = useRoom()
  const isPinned = isTile(pinned, peer.id, source)
  const name = peer.nickname
  return (
    <div className="stage-acts">
      {!isOwn && <VolumeAct tile={tile} />}
      {isOwn && source === 'cam' && (
        <Act icon={IconSettings} label={t('meeting.devices')} onPress={() => meeting.choose(true)} />
      )}
      <Act
        icon={isPinned ? IconPinnedOff : IconPin}
        label={t(isPinned ? 'meeting.unpin' : 'meeting.pin', { name })}
        pressed={isPinned}
        onPress={() => meeting.act({ type: 'pin', tile: isPinned ? undefined : { peer: peer.id, source } })}
      />
      {document.fullscreenEnabled && (
        <Act
          icon={IconMaximize}
          label={t('meeting.fullTile', { name })}
          onPress={() => void toggleFull(frame.current)}
        />
      )}
    </div>
  )
}

async function toggleFull(element: HTMLElement | null): Promise<void> {
  try {
    if (document.fullscreenElement === element) await document.exitFullscreen()
    else await element?.requestFullscreen()
  } catch {
    // the browser blocks it and has shown why
  }
}

/** Local volume of a participant. */
function VolumeAct({ tile: { peer, source } }: { tile: StageTile }) {
  const t = useT()
  const meeting = useMeeting()
  const { volumes } = useRoom()
  const sound = useRemote(peer.id, source === 'cam' ? 'mic' : 'screenaudio')
  if (!sound) return null
  const volume = volumes[peer.id] ?? { level: 1, muted: false }
  const name = peer.nickname
  const set = (change: Partial<typeof volume>) =>
    meeting.act({ type: 'volume', peer: peer.id, volume: { ...volume, ...change } })
  return (
    <span className="stage-volume">
      <Act
        icon={volume.muted ? IconVolumeOff : IconVolume}
        label={t('meeting.muteHere', { name })}
        pressed={volume.muted}
        onPress={() => set({ muted: !volume.muted })}
      />
      <input
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={volume.muted ? 0 : volume.level}
        aria-label={t('meeting.volumeOf', { name })}
        onChange={({ target }) => set({ level: Number(target.value), muted: target.value === '0' })}
      />
    </span>
  )
}

function Act(props: {
  icon: Glyph
  label: string
  pressed?: boolean
  onPress: () => void
  children?: ReactNode
}) {
  return (
    <button type="button" aria-label={props.label} aria-pressed={props.pressed} onClick={props.onPress}>
      <Icon of={props.icon} size="small" />
    </button>
  )
}
