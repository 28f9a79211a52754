import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { focusHeading } from '../../../platform/navigation/screen-focus.ts'
import { useStore } from '../../../state/store.ts'
import { useDocumentTitle } from '../../../ui/page/document-title.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { watchDevices } from '../devices/device-list.ts'
import type { LocalMedia } from '../devices/local-media.ts'
import { MeetMedia } from '../media/meet-media.ts'
import { Meeting } from '../room/meeting.ts'
import { signallingUrl } from '../setup/network-test.ts'
import type { Entry } from '../setup/setup-screen.tsx'
import type { EndReason } from '../signalling/signalling-client.ts'
import { useHappenings } from './happenings.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { MediaDialog } from './media-dialog.tsx'
import { MeetingContext, useMeeting, useRoom } from './meeting-context.ts'
import { OptionsDialog } from './options-dialog.tsx'
import { HandQueue } from './people/hand-queue.tsx'
import { NamesList } from './people/names-list.tsx'
import { WaitingList } from './people/waiting-list.tsx'
import { failureText } from './request-failure.ts'
import { useShortcuts } from './shortcuts.ts'
import { SidePanel } from './side-panel.tsx'
import { Sounds } from './stage/sounds.tsx'
import { StageArea } from './stage/stage-area.tsx'
import { StatisticsDialog } from './statistics-dialog.tsx'
import { type DialogName, Toolbar } from './toolbar.tsx'
import { TopBar } from './top-bar.tsx'
import './session.css'

export interface SessionScreenProps {
  room: string
  entry: Entry
  local: LocalMedia
  onEnd: (reason: EndReason) => void
}

/** The meeting in the whole window, without the portal's header and footer. */
export function SessionScreen({ room, entry, local, onEnd }: SessionScreenProps) {
  const t = useT()
  const [meeting, setMeeting] = useState<Meeting>()
  const end = useRef(onEnd)
  const { token } = entry
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    const one = new Meeting({
      url: signallingUrl(),
      token,
      local,
      makeMedia: (options) => new MeetMedia(options),
      onEnd: (reason) => end.current(reason),
      onError: (error) => {
        const text = failureText(error)
        if (text) toasts.error(t(text))
      },
    })
    one.start()
    // oxlint-disable-next-line react/set-state-in-effect -- connecting isn't part of rendering
    setMeeting(one)
    const leave = () => void one.leave()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      one.stop()
    }
  }, [token, local, t])
  useWholeWindow()
  useEffect(watchDevices, [])
  return meeting ? (
    <MeetingContext value={meeting}>
      <Session name={room} />
    </MeetingContext>
  ) : null
}

/** Hides the portal's header and footer, also from screen readers and the keyboard. */
function useWholeWindow(): void {
  useEffect(() => {
    document.body.classList.add('in-meeting')
    return () => document.body.classList.remove('in-meeting')
  }, [])
}

function Session({ name }: { name: string }) {
  const t = useT()
  const meeting = useMeeting()
  const room = useRoom()
  const isChoosing = useStore(meeting.isChoosing)
  const sentence = useHappenings()
  const [dialog, setDialog] = useState<DialogName>()
  const { panel, unread, me } = room
  const leave = () => meeting.leave()
  useDocumentTitle(unread > 0 ? t('meeting.titleUnread', { count: unread, room: name }) : name)
  // the button that led here has gone with the focus
  useEffect(focusHeading, [])
  useUnplugged()
  useMeetingKeys(() => setDialog('statistics'))
  return (
    <div className="stage" data-panel={panel}>
      <TopBar name={name} />
      <div className="stage-middle">
        <Banners />
        <HandQueue />
        <div className="stage-main">
          {me === '' ? <p className="stage-empty">{t('meeting.entering')}</p> : <StageArea />}
          <NamesList />
        </div>
        {panel === undefined && (
          <div className="stage-float">
            <WaitingList />
          </div>
        )}
      </div>
      <Toolbar onDialog={setDialog} onLeave={() => void leave()} />
      {panel && <SidePanel panel={panel} />}
      <Sounds />
      <p className="visually-hidden" role="status" aria-live="polite">
        {sentence}
      </p>
      {isChoosing && <MediaDialog />}
      {dialog === 'options' && <OptionsDialog name={name} onClose={() => setDialog(undefined)} />}
      {dialog === 'statistics' && <StatisticsDialog name={name} onClose={() => setDialog(undefined)} />}
      {dialog === 'leave' && <LeaveDialog onClose={() => setDialog(undefined)} onLeave={leave} />}
    </div>
  )
}

/** Current problems, shown above the tiles. */
function Banners() {
  const t = useT()
  const meeting = useMeeting()
  const { isConnected, me } = useRoom()
  const media = useStore(meeting.mediaState)
  const isBroken = me !== '' && !isConnected
  return (
    <div className="stage-banners" role="status">
      {isBroken && (
        <p className="stage-banner">
          <span className="spinner" aria-hidden="true" />
          {t('meeting.connectionLost')}
        </p>
      )}
      {!isBroken && media === 'reconnecting' && (
        <p className="stage-banner">
          <span className="spinner" aria-hidden="true" />
          {t('meeting.mediaLost')}
        </p>
      )}
    </div>
  )
}

/** Reports an unplugged device and its replacement. */
function useUnplugged(): void {
  const t = useT()
  const { unplugged } = useStore(useMeeting().local.state)
  const count = unplugged?.count ?? 0
  const label = unplugged?.label ?? ''
  const told = useRef(count)
  useEffect(() => {
    if (count === told.current) return
    told.current = count
    toasts.warning(t('meeting.unplugged', { device: label }))
  }, [count, label, t])
}

function useMeetingKeys(openStatistics: () => void): void {
  const meeting = useMeeting()
  const toggle = (panel: 'chat' | 'people') => {
    const { panel: shown } = meeting.room.get()
    meeting.act({ type: 'panel', panel: shown === panel ? undefined : panel })
  }
  useShortcuts({
    m: () => meeting.toggle('microphone'),
    c: () => meeting.toggle('camera'),
    h: () => {
      const { peers, me } = meeting.room.get()
      const isUp = peers.find(({ id }) => id === me)?.raisedHand ?? false
      void meeting.ask('raisedHand', { raisedHand: !isUp })
    },
    t: () => toggle('chat'),
    p: () => toggle('people'),
    f: () => {
      const turn = document.fullscreenElement
        ? document.exitFullscreen()
        : document.documentElement.requestFullscreen?.()
      turn?.catch(() => undefined)
    },
    '?': openStatistics,
  })
}
