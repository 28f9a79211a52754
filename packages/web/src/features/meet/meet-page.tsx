import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { auth } from '../../platform/session/auth.ts'
import { useLocation, useNavigate, useParams } from '../../router/router-context.tsx'
import { LocalMedia } from './devices/local-media.ts'
import { EndedScreen } from './ended-screen.tsx'
import type { SessionScreenProps } from './session/session-screen.tsx'
import { remember, remembered } from './setup/remembered.ts'
import { type Entry, SetupScreen } from './setup/setup-screen.tsx'
import type { EndReason } from './signalling/signalling-client.ts'
import './meet.css'

type Phase =
  | { kind: 'setup' }
  | { kind: 'session'; entry: Entry; Session: ComponentType<SessionScreenProps> }
  | { kind: 'ended'; reason: EndReason }

/** A meeting, from setup to end. */
export function MeetPage() {
  // Parameters are untyped without registered routes.
  const { room = '' } = useParams()
  return <Meeting key={room} room={room} />
}

function Meeting({ room }: { room: string }) {
  const navigate = useNavigate()
  const [phase, setPhase] = useState<Phase>({ kind: 'setup' })
  const [joinsAtOnce, stopJoining] = useAskedToJoin()
  const [local] = useState(() => new LocalMedia({ recall: remembered, keep: remember }))
  useEffect(() => () => local.release(), [local])

  const enter = async (entry: Entry) => {
    const Session = await loadSession()
    stopJoining()
    setPhase({ kind: 'session', entry, Session })
  }
  const end = (reason: EndReason) => {
    local.release()
    if (reason !== 'left') return setPhase({ kind: 'ended', reason })
    void navigate({ to: auth.get().loggedIn ? '/dashboard' : '/login' })
  }

  if (phase.kind === 'session') {
    const { Session, entry } = phase
    return <Session room={room} entry={entry} local={local} onEnd={end} />
  }
  if (phase.kind === 'ended') {
    return <EndedScreen room={room} reason={phase.reason} onAgain={() => setPhase({ kind: 'setup' })} />
  }
  return (
    <SetupScreen room={room} local={local} joinsAtOnce={joinsAtOnce} prepare={loadSession} onEnter={enter} />
  )
}

/**
 * Whether the URL asks to join without the setup screen, by someone who has joined a meeting in this browser before, and
 * a function that ends it. The URL is cleaned, so that nobody passes it on.
 */
function useAskedToJoin(): [boolean, () => void] {
  const navigate = useNavigate()
  // the query is untyped without registered routes
  const query = useLocation().search
  const [isAsked, setAsked] = useState(query.join !== undefined && remembered('nickname') !== undefined)
  const clean = useEffectEvent(() => {
    if (query.join !== undefined)
      void navigate({ to: '.', search: { ...query, join: undefined }, replace: true, resetScroll: false })
  })
  useEffect(() => clean(), [])
  return [isAsked, () => setAsked(false)]
}

/** Lazy-loads the meeting's code while users set up their devices. */
async function loadSession(): Promise<ComponentType<SessionScreenProps>> {
  const [{ SessionScreen }] = await Promise.all([
    loadChunk(() => import('./session/session-screen.tsx')),
    loadChunk(() => loadMessages('meeting')),
  ])
  return SessionScreen
}
