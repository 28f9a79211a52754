import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHandStop from '@tabler/icons-react/dist/esm/icons/IconHandStop.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconMicrophone from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs'
import IconMicrophoneOff from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs'
import IconMinimize from '@tabler/icons-react/dist/esm/icons/IconMinimize.mjs'
import IconScreenShare from '@tabler/icons-react/dist/esm/icons/IconScreenShare.mjs'
import IconScreenShareOff from '@tabler/icons-react/dist/esm/icons/IconScreenShareOff.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconUserScreen from '@tabler/icons-react/dist/esm/icons/IconUserScreen.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import IconVideoOff from '@tabler/icons-react/dist/esm/icons/IconVideoOff.mjs'
import { useId, useSyncExternalStore } from 'react'
import { useLanguage, useT } from '../../../i18n/i18n.ts'
import { useStore } from '../../../state/store.ts'
import { type Glyph, Icon } from '../../../ui/icon.tsx'
import { canShareScreen, type DeviceKind } from '../devices/capture.ts'
import { isOwner, isPublisher } from '../room/roles.ts'
import { channels } from '../room/room-views.ts'
import { useMe, useMeeting, useRoom } from './meeting-context.ts'
import { languageName } from './people/person-menu.tsx'
import { type MenuItem, StageMenu } from './stage/stage-menu.tsx'

export type DialogName = 'options' | 'statistics' | 'leave'

export interface ToolbarProps {
  onDialog: (dialog: DialogName) => void
  onLeave: () => void
}

/** All controls of a meeting. On a phone, the less common half is in the overflow menu. */
export function Toolbar({ onDialog, onLeave }: ToolbarProps) {
  const t = useT()
  const me = useMe()
  const meeting = useMeeting()
  const { panel, unread } = useRoom()
  const owns = me !== undefined && isOwner(me)
  const open = (name: 'chat' | 'people') =>
    meeting.act({ type: 'panel', panel: panel === name ? undefined : name })
  return (
    <nav className="stage-bar" aria-label={t('meeting.controls')}>
      <DeviceButton kind="microphone" />
      <DeviceButton kind="camera" />
      <ScreenButton />
      <HandButton />
      <hr className="stage-wide" />
      <ChannelMenu />
      <button type="button" aria-pressed={panel === 'chat'} onClick={() => open('chat')}>
        <Icon of={IconMessage} size="large" />
        <span className="stage-wide" aria-hidden="true">
          {t('meeting.chat')}
        </span>
        <span className="visually-hidden">
          {unread > 0 ? t('meeting.chatUnread', { count: unread }) : t('meeting.chat')}
        </span>
        {unread > 0 && <Badge>{String(unread)}</Badge>}
      </button>
      <ToolButton
        wide
        icon={IconUsers}
        label={t('words.people')}
        pressed={panel === 'people'}
        onPress={() => open('people')}
      />
      <FullscreenButton />
      {owns && (
        <ToolButton
          wide
          icon={IconSettings}
          label={t('meeting.options')}
          onPress={() => onDialog('options')}
        />
      )}
      <MoreMenu owns={owns} onDialog={onDialog} />
      <hr className="stage-wide" />
      <button
        type="button"
        className="stage-leave"
        aria-label={t('words.leave')}
        onClick={() => (owns ? onDialog('leave') : onLeave())}
      >
        <Icon of={IconLogout} size="large" />
        <span className="stage-leave-word">{t('words.leave')}</span>
      </button>
    </nav>
  )
}

interface ToolButtonProps {
  icon: Glyph
  label: string
  pressed?: boolean
  /** Only shown if there is space. */
  wide?: boolean
  off?: boolean
  disabled?: boolean
  /** Why it is disabled. */
  reason?: string | undefined
  onPress: () => void
}

function ToolButton({ icon, label, pressed, wide, off, disabled, reason, onPress }: ToolButtonProps) {
  const reasonId = useId()
  const classes = [wide && 'stage-wide', off && 'stage-off']
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ') || undefined}
      aria-label={label}
      aria-pressed={pressed}
      aria-describedby={reason && reasonId}
      title={reason ?? label}
      disabled={disabled || reason !== undefined}
      onClick={onPress}
    >
      <Icon of={icon} size="large" />
      {reason && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </button>
  )
}

function Badge({ children }: { children: string }) {
  return (
    <span className="stage-badge" aria-hidden="true">
      {children}
    </span>
  )
}

/** Microphone or camera button; only for users who may send. */
function DeviceButton({ kind }: { kind: DeviceKind }) {
  const t = useT()
  const meeting = useMeeting()
  const me = useMe()
  const { track, muted } = useStore(meeting.local.state)[kind]
  const isOff = !track || muted
  const isMicrophone = kind === 'microphone'
  const label = isMicrophone
    ? t(isOff ? 'meeting.unmute' : 'meeting.mute')
    : t(isOff ? 'meeting.cameraOn' : 'meeting.cameraOff')
  const reasonId = useId()
  const reason = me && !isPublisher(me) ? t('meeting.mayNotSend') : undefined
  const icons = isMicrophone ? [IconMicrophone, IconMicrophoneOff] : [IconVideo, IconVideoOff]
  return (
    <button
      type="button"
      className={isOff ? 'stage-off' : undefined}
      aria-keyshortcuts={isMicrophone ? 'm' : 'c'}
      title={reason ?? label}
      aria-describedby={reason && reasonId}
      disabled={!me || reason !== undefined}
      onClick={() => meeting.toggle(kind)}
    >
      <Icon of={(isOff ? icons[1] : icons[0]) ?? IconMicrophone} size="large" />
      {isMicrophone && isOff && <span className="stage-wide">{t('words.muted')}</span>}
      {/* what is to be seen is a part of the name: speech input says it */}
      <span className="visually-hidden"> {label}</span>
      {reason && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </button>
  )
}

function ScreenButton() {
  const t = useT()
  const meeting = useMeeting()
  const me = useMe()
  const shares = useStore(meeting.local.state).screen.length > 0
  if (!canShareScreen()) return null
  return (
    <ToolButton
      wide
      icon={shares ? IconScreenShareOff : IconScreenShare}
      label={t(shares ? 'meeting.stopSharing' : 'meeting.share')}
      pressed={shares}
      disabled={!me}
      reason={me && !isPublisher(me) ? t('meeting.mayNotSend') : undefined}
      onPress={() => void meeting.toggleScreen()}
    />
  )
}

function HandButton() {
  const t = useT()
  const meeting = useMeeting()
  const me = useMe()
  const isUp = me?.raisedHand ?? false
  return (
    <ToolButton
      icon={IconHandStop}
      label={t(isUp ? 'words.lowerHand' : 'meeting.raiseHand')}
      pressed={isUp}
      disabled={!me}
      onPress={() => void meeting.ask('raisedHand', { raisedHand: !isUp })}
    />
  )
}

/** Menu to hear the original or an interpreter; only shown while someone interprets. */
function ChannelMenu() {
  const t = useT()
  const shown = useLanguage()
  const meeting = useMeeting()
  const room = useRoom()
  const offered = channels(room)
  if (offered.length === 0) return null
  const item = (language: string | undefined, label: string): MenuItem => ({
    name: language ?? 'original',
    kind: 'choice',
    label,
    checked: room.channel === language,
    onPress: () => meeting.act({ type: 'channel', language }),
  })
  return (
    <StageMenu
      label={t('meeting.channel')}
      className="stage-channel"
      pressed={room.channel !== undefined}
      face={
        <>
          <Icon of={IconLanguage} size="large" />
          {room.channel && <Badge>{room.channel.toUpperCase()}</Badge>}
        </>
      }
      items={[
        item(undefined, t('meeting.original')),
        ...offered.map((language) => item(language, languageName(language, shown))),
      ]}
    />
  )
}

function FullscreenButton() {
  const t = useT()
  const isFull = useFullscreen()
  if (!document.fullscreenEnabled) return null
  const turn = () => (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  return (
    <ToolButton
      wide
      icon={isFull ? IconMinimize : IconMaximize}
      label={t(isFull ? 'meeting.exitFull' : 'meeting.full')}
      pressed={isFull}
      onPress={() => void turn().catch(() => undefined)}
    />
  )
}

function useFullscreen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('fullscreenchange', listener)
      return () => document.removeEventListener('fullscreenchange', listener)
    },
    () => document.fullscreenElement !== null,
  )
}

function MoreMenu({ owns, onDialog }: { owns: boolean; onDialog: (dialog: DialogName) => void }) {
  const t = useT()
  const meeting = useMeeting()
  const me = useMe()
  const { view, hidesSilent, panel } = useRoom()
  const sends = me !== undefined && isPublisher(me)
  const items: (MenuItem | false)[] = [
    {
      name: 'gallery',
      kind: 'choice',
      icon: IconLayoutGrid,
      label: t('meeting.gallery'),
      checked: view === 'gallery',
      onPress: () => meeting.act({ type: 'view', view: 'gallery' }),
    },
    {
      name: 'speaker',
      kind: 'choice',
      icon: IconUserScreen,
      label: t('meeting.speakerView'),
      checked: view === 'speaker',
      onPress: () => meeting.act({ type: 'view', view: 'speaker' }),
    },
    {
      name: 'silent',
      kind: 'switch',
      icon: IconVideoOff,
      label: t('meeting.hideSilent'),
      checked: hidesSilent,
      onPress: () => meeting.act({ type: 'hidesSilent', hides: !hidesSilent }),
    },
    {
      name: 'people',
      narrow: true,
      icon: IconUsers,
      label: t('words.people'),
      onPress: () => meeting.act({ type: 'panel', panel: panel === 'people' ? undefined : 'people' }),
    },
    sends && {
      name: 'devices',
      icon: IconAdjustmentsHorizontal,
      label: t('meeting.devices'),
      onPress: () => meeting.choose(true),
    },
    owns && {
      name: 'options',
      narrow: true,
      icon: IconSettings,
      label: t('meeting.options'),
      onPress: () => onDialog('options'),
    },
    {
      name: 'statistics',
      icon: IconChartBar,
      label: t('meeting.statistics'),
      onPress: () => onDialog('statistics'),
    },
  ]
  return (
    <StageMenu
      label={t('meeting.more')}
      face={<Icon of={IconDots} size="large" />}
      items={items.filter((item) => item !== false)}
    />
  )
}
