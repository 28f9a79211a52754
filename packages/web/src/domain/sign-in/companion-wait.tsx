import type { SignInWaiting } from '@gatehouse/contract/sessions/companions'
import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMessages, useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { request } from '../../platform/api/http.ts'
import { errorText } from '../../platform/api/report-error.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'
import './companion-wait.css'

/** A pending sign-in, as polled. */
interface NamedWait extends Pick<SignInWaiting, 'attempt' | 'secret'> {
  /** Seconds the server may hold the request. */
  readonly wait: number
}

/** Polls whether a device has confirmed the request. */
export type AskAgain = (
  named: NamedWait,
  signal: AbortSignal,
) => Promise<SessionResponse | Pick<SignInWaiting, 'status' | 'expiresAt'>>

/** Seconds the server may hold a request. */
const wait = 20
const pause = 2000

/**
 * Shows the number to enter on a companion device as an overlay and resolves with the session once it is
 * confirmed. Rejects with an `AbortError` when the user cancels or dismisses the error.
 */
export async function confirmOnDevice(
  waiting: SignInWaiting,
  askAgain: AskAgain = askLogin,
): Promise<SessionResponse> {
  await loadMessages('companionwait')
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  try {
    return await new Promise((resolve, reject) => {
      const onCancel = () => reject(new DOMException('given up', 'AbortError'))
      root.render(<WaitDialog waiting={waiting} ask={askAgain} onSession={resolve} onCancel={onCancel} />)
    })
  } finally {
    root.unmount()
    place.remove()
  }
}

interface WaitProps {
  waiting: SignInWaiting
  ask: AskAgain
  onSession: (session: SessionResponse) => void
  onCancel: () => void
}

function WaitDialog({ waiting, ask, onSession, onCancel }: WaitProps) {
  const t = useT()
  const [failure, setFailure] = useState<string>()
  const seconds = useSecondsTo(waiting.expiresAt)

  useEffect(() => {
    const ending = new AbortController()
    askUntilDecided(waiting, ask, ending.signal).then(
      (session) => session && onSession(session),
      (error) => ending.signal.aborted || setFailure(errorText(error)),
    )
    return () => ending.abort()
  }, [waiting, ask, onSession])

  const giveUp = () => {
    const { attempt, secret } = waiting
    if (failure === undefined) {
      request('POST /api/auth/login/attempt/cancel', { body: { attempt, secret } }).catch(() => {
        // expires on its own
      })
    }
    onCancel()
  }

  return (
    <Dialog
      open
      title={t('companionwait.title')}
      onClose={giveUp}
      cancelLabel={t(failure ? 'words.back' : 'words.cancel')}
    >
      {failure ? (
        <Note tone="danger" live title={t('companionwait.failed')}>
          {failure}
        </Note>
      ) : (
        <>
          <p>{t('companionwait.text')}</p>
          <p className="companion-wait-number" aria-live="polite">
            {waiting.number}
          </p>
          <p className="text-2">{t('companionwait.left', { seconds })}</p>
          <p className="small text-2">{t('companionwait.lost')}</p>
        </>
      )}
    </Dialog>
  )
}

/**
 * Returns the session once a device has confirmed, or undefined when aborted. Throws if the request was
 * refused.
 */
async function askUntilDecided(
  { attempt, secret }: SignInWaiting,
  ask: AskAgain,
  signal: AbortSignal,
): Promise<SessionResponse | undefined> {
  while (!signal.aborted) {
    try {
      const answer = await ask({ attempt, secret, wait }, signal)
      if (answer.status !== 'waiting') return answer
    } catch (error) {
      // network errors and a restarting server are retried
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status < 500)) throw error
      await new Promise((resume) => setTimeout(resume, pause))
    }
  }
  return undefined
}

const askLogin: AskAgain = (body, signal) => request('POST /api/auth/login/attempt', { body, signal })

/** Returns the seconds left until a moment. */
function useSecondsTo(moment: string): number {
  const left = () => Math.max(0, Math.round((Date.parse(moment) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
  })
  return seconds
}
