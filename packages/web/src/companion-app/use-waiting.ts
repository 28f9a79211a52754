import type { Routes } from '@gatehouse/contract/routes'
import { useEffect, useState } from 'react'
import { ApiError, isCancelled } from '../platform/api/api-error.ts'
import { deviceCall } from './device-session.ts'

export type WaitingAttempt = Routes['GET /api/v4/auth-attempts/waiting']['ok']['list'][number]

export interface Waiting {
  /** Undefined until the first response. */
  readonly list: readonly WaitingAttempt[] | undefined
  /** Offline, or the last request failed. */
  readonly isOffline: boolean
  /** Reloads immediately, for example after a decision. */
  readonly refresh: () => void
}

/** Long-polling timeout in seconds. */
const wait = 25
const pause = 3000

/** A device's pending sign-ins, in real time. Pauses while the page is hidden. */
export function useWaiting(): Waiting {
  const [list, setList] = useState<readonly WaitingAttempt[]>()
  const [isOffline, setOffline] = useState(() => !navigator.onLine)
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: restart for another round
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    void follow(signal, {
      heard: (news) => {
        setList(news)
        setOffline(false)
      },
      failed: () => setOffline(true),
    })
    return () => ending.abort()
  }, [round])

  useEffect(() => {
    const again = () => document.hidden || setRound((count) => count + 1)
    const lost = () => setOffline(true)
    document.addEventListener('visibilitychange', again)
    window.addEventListener('online', again)
    window.addEventListener('offline', lost)
    return () => {
      document.removeEventListener('visibilitychange', again)
      window.removeEventListener('online', again)
      window.removeEventListener('offline', lost)
    }
  }, [])

  return { list, isOffline, refresh: () => setRound((count) => count + 1) }
}

interface Listener {
  readonly heard: (list: readonly WaitingAttempt[]) => void
  readonly failed: () => void
}

async function follow(signal: AbortSignal, listener: Listener): Promise<void> {
  let version: string | undefined
  while (!signal.aborted && !(document.hidden && version !== undefined)) {
    try {
      const query = version === undefined ? {} : { wait, version }
      const answer = await deviceCall('GET /api/v4/auth-attempts/waiting', { query, signal })
      version = answer.version
      if (!signal.aborted) listener.heard(answer.list)
    } catch (error) {
      if (isCancelled(error) || signal.aborted) return
      // the session has ended, and this screen with it
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return
      listener.failed()
      await new Promise((resume) => setTimeout(resume, pause))
    }
  }
}
