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

/** Signs in with a password and goes on from there, unless told to stay. The caller shows the failure. */
export async function login(credentials: Credentials, options?: StartOptions): Promise<void> {
  const answer = await request('POST /api/auth/login', { body: { ...credentials, async: true } })
  startedSession(answer.status === 'waiting' ? await confirmOnDevice(answer) : answer, options)
}

/**
 * Waits until a companion device lets in what was asked for; `ask` is absent for a login. Few have such a device: what
 * they see comes when it is needed.
 */
export async function confirmOnDevice(waiting: SignInWaiting, ask?: AskAgain): Promise<SessionResponse> {
  const step = await loadChunk(() => import('./companion-wait.tsx'))
  return step.confirmOnDevice(waiting, ask)
}
