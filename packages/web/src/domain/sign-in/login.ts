import type { SignInWaiting } from '@gatehouse/contract/sessions/companions'
import type { PasskeyProof } from '@gatehouse/contract/sessions/proofs'
import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import { request } from '../../platform/api/http.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { type StartOptions, startedSession } from '../../platform/session/session.ts'
import type { AskAgain } from './companion-wait.tsx'

export interface Credentials {
  email: string
  password: string
  secondfactor?: string
  passkey?: PasskeyProof
}

/** Signs in with a password and continues to the next page, unless told to stay. The caller shows errors. */
export async function login(credentials: Credentials, options?: StartOptions): Promise<void> {
  const answer = await request('POST /api/auth/login', { body: { ...credentials, async: true } })
  startedSession(answer.status === 'waiting' ? await confirmOnDevice(answer) : answer, options)
}

/**
 * Waits until a companion device confirms the request; `ask` is undefined for a sign-in. The screen is
 * lazy-loaded, because few users have such a device.
 */
export async function confirmOnDevice(waiting: SignInWaiting, ask?: AskAgain): Promise<SessionResponse> {
  const step = await loadChunk(() => import('./companion-wait.tsx'))
  return step.confirmOnDevice(waiting, ask)
}
