import { type ComponentType, useEffect, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { auth } from '../../platform/session/auth.ts'
import { useNavigate, useParams } from '../../router/router-context.tsx'
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
  const [local] = useState(() => new LocalMedia({ recall: remembered, keep: remember }))
  useEffect(() => () => local.release(), [local])

  const enter = async (entry: Entry) => {
    const Session = await loadSession()
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
  return <SetupScreen room={room} local={local} prepare={loadSession} onEnter={enter} />
}

/** Lazy-loads the meeting's code while users set up their devices. */
async function loadSession(): Promise<ComponentType<SessionScreenProps>> {
  const [{ SessionScreen }] = await Promise.all([
    loadChunk(() => import('./session/session-screen.tsx')),
    loadChunk(() => loadMessages('meeting')),
  ])
  return SessionScreen
}
