import { maxNickname } from '@gatehouse/contract/meetings/meet-rules'
import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHandStop from '@tabler/icons-react/dist/esm/icons/IconHandStop.mjs'
import IconMicrophoneOff from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs'
import IconRosetteDiscountCheck from '@tabler/icons-react/dist/esm/icons/IconRosetteDiscountCheck.mjs'
import IconWifiOff from '@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { MessageKey } from '../../../../i18n/areas.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { useStore } from '../../../../state/store.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { initials } from '../../../../ui/facts/avatar.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { plainName } from '../../plain-name.ts'
import { isModerator, isPublisher } from '../../room/roles.ts'
import { handQueue, inNames, onStage } from '../../room/room-views.ts'
import { useMe, useMeeting, useRemote, useRoom } from '../meeting-context.ts'
import { PersonIcon, useNameOf } from './person-icon.tsx'
import { PersonMenu } from './person-menu.tsx'
import { renaming } from './renaming.ts'

const titles = {
  hands: 'meeting.hands',
  stage: 'meeting.onStage',
  names: 'meeting.listeners',
} as const satisfies Record<string, MessageKey>

/** All participants, with the permitted actions. */
export function PeoplePanel() {
  const t = useT()
  const room = useRoom()
  const me = useMe()
  const hands = handQueue(room)
  const stage = onStage(room)
  const others = stage.filter(({ id }) => id !== room.me)
  return (
    <div className="stage-people">
      {me && isModerator(me) && (
        <p className="row wrap">
          <MuteAll people={others} />
          {hands.length > 0 && <LowerAll people={hands} />}
        </p>
      )}
      <Part title={titles.hands} people={hands} />
      <Part title={titles.stage} people={stage} />
      <Part title={titles.names} people={inNames(room)} />
      {room.peers.length === 1 && <p className="stage-quiet">{t('meeting.aloneHere')}</p>}
    </div>
  )
}

function MuteAll({ people }: { people: readonly PeerInfo[] }) {
  const t = useT()
  const meeting = useMeeting()
  const muteAll = () =>
    Promise.all(
      people
        .filter((peer) => !isModerator(peer))
        .map(({ id }) => meeting.ask('moderator:mute', { peerId: id, source: 'mic', mode: 'force' })),
    )
  const isUseful = people.some((peer) => !isModerator(peer))
  return (
    <Button
      size="small"
      icon={IconMicrophoneOff}
      reason={isUseful ? undefined : t('meeting.noGuests')}
      onPress={muteAll}
    >
      {t('meeting.muteAll')}
    </Button>
  )
}

function LowerAll({ people }: { people: readonly PeerInfo[] }) {
  const t = useT()
  const meeting = useMeeting()
  const lower = () => Promise.all(people.map(({ id }) => meeting.ask('moderator:lowerHand', { peerId: id })))
  return (
    <Button size="small" icon={IconHandStop} onPress={lower}>
      {t('meeting.lowerAll')}
    </Button>
  )
}

function Part({ title, people }: { title: MessageKey; people: readonly PeerInfo[] }) {
  const t = useT()
  if (people.length === 0) return null
  return (
    <section aria-label={t(title)}>
      <h2 className="small">
        {t(title)} <span>{people.length}</span>
      </h2>
      <ul>
        {people.map((peer) => (
          <Person key={peer.id} peer={peer} />
        ))}
      </ul>
    </section>
  )
}

function Person({ peer }: { peer: PeerInfo }) {
  const t = useT()
  const { me } = useRoom()
  const isOwn = peer.id === me
  const isRenaming = useStore(renaming) && isOwn
  const name = useNameOf(peer, isOwn)
  return (
    <li>
      <span className="stage-face" aria-hidden="true">
        {initials(peer.nickname, '?')}
      </span>
      {isRenaming ? (
        <Rename peer={peer} />
      ) : (
        <span className="stage-person">
          <bdi className="truncate">{name}</bdi>
          {peer.isVerified && (
            <Icon of={IconRosetteDiscountCheck} size="small" label={t('meeting.isVerified')} />
          )}
        </span>
      )}
      <States peer={peer} isOwn={isOwn} />
      <PersonMenu peer={peer} className="stage-dots" face={<Icon of={IconDots} size="small" />} />
    </li>
  )
}

function States({ peer, isOwn }: { peer: PeerInfo; isOwn: boolean }) {
  const t = useT()
  const remote = useRemote(peer.id, 'mic')
  const { microphone } = useStore(useMeeting().local.state)
  const isSilent = isOwn ? !microphone.track || microphone.muted : !remote || remote.muted
  return (
    <span className="stage-states">
      {!peer.isConnected && <Icon of={IconWifiOff} size="small" label={t('meeting.comesBack')} />}
      {peer.raisedHand && <Icon of={IconHandStop} size="small" label={t('meeting.handIsUp')} />}
      {isPublisher(peer) && isSilent && (
        <span className="stage-off">
          <Icon of={IconMicrophoneOff} size="small" label={t('words.muted')} />
        </span>
      )}
      <PersonIcon peer={peer} />
    </span>
  )
}

/** Enter and blur save, Esc restores the old name. */
function Rename({ peer }: { peer: PeerInfo }) {
  const t = useT()
  const meeting = useMeeting()
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(peer.nickname)
  useEffect(() => field.current?.select(), [])
  const save = () => {
    renaming.set(false)
    const nickname = plainName(name)
    if (nickname && nickname !== peer.nickname) void meeting.ask('changeNickname', { nickname })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save()
    if (event.key !== 'Escape') return
    event.stopPropagation()
    renaming.set(false)
  }
  return (
    <input
      ref={field}
      className="input"
      aria-label={t('meeting.newName')}
      maxLength={maxNickname}
      value={name}
      onChange={(event) => setName(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => renaming.get() && save()}
    />
  )
}
