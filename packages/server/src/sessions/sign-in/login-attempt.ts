import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { presentMoment } from '../companions/present.ts'
import { awaitSignIn, findSignIn } from '../companions/resume-sign-in.ts'
import type { GateParts } from '../companions/sign-in-gate.ts'
import { giveUp } from '../companions/undecided.ts'
import { type SignInLog, SignInTrace } from './sign-in-log.ts'

export interface LoginAttemptParts {
  readonly gate: GateParts
  readonly throttle: Throttle
  readonly signIns: SignInLog
  /** Starts the session of an authenticated user. */
  readonly begin: (userId: number, request: RequestFacts) => Promise<SessionResponse>
}

/** A sign-in waiting for a companion device, for clients that poll instead of holding a connection. */
export function serveLoginAttempts(api: Api, { gate, throttle, signIns, begin }: LoginAttemptParts): void {
  const guarded = { ...gate, throttle }

  api.serve('POST /api/auth/login/attempt', async ({ body, ...request }) => {
    const trace = new SignInTrace()
    return signIns.follow('password', request, trace, async () => {
      const found = await findSignIn(guarded, { ...body, service: 'web' }, request.ip)
      trace.user = { id: found.userId }
      trace.factor = 'companion'
      const now = await awaitSignIn(gate, found, body.wait ?? 0)
      if ('userId' in now) return begin(now.userId, request)
      return { status: 'waiting' as const, expiresAt: presentMoment(now.expiresAt) }
    })
  })

  api.serve('POST /api/auth/login/attempt/cancel', async ({ body, ip }) => {
    // no effect if it has already ended
    await giveUp(gate.db, gate.clock, (await findSignIn(guarded, body, ip)).id)
    return { status: 'success' }
  })
}
