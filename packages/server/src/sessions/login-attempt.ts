import type { SessionResponse } from '@gatehouse/contract/sessions'
import { CompanionRefused } from '../companions/errors.ts'
import { presentMoment } from '../companions/present.ts'
import { giveUpSignIn, resumeSignIn } from '../companions/resume-sign-in.ts'
import type { GateParts } from '../companions/sign-in-gate.ts'
import type { Api, RequestFacts } from '../platform/http/api.ts'
import { perAddress, type Throttle } from '../platform/throttle/throttle.ts'

export interface LoginAttemptParts {
  readonly gate: GateParts
  readonly throttle: Throttle
  /** Begins the session of somebody who has proved who it is. */
  readonly begin: (userId: number, request: RequestFacts) => Promise<SessionResponse>
}

/** A sign-in that waits for a companion device, for programs that ask again instead of waiting on a connection. */
export function serveLoginAttempts(api: Api, { gate, throttle, begin }: LoginAttemptParts): void {
  const guarded = <T>(ip: string, work: () => Promise<T>) =>
    throttle.guard(
      [{ rule: perAddress('login-attempt'), subject: ip }],
      (error) => error instanceof CompanionRefused,
      work,
    )

  api.serve('POST /api/auth/login/attempt', async ({ body, ...request }) => {
    const now = await guarded(request.ip, () =>
      resumeSignIn(gate, { ...body, service: 'web' }, body.wait ?? 0),
    )
    if ('userId' in now) return begin(now.userId, request)
    return { status: 'waiting', expiresAt: presentMoment(now.expiresAt) }
  })

  api.serve('POST /api/auth/login/attempt/cancel', async ({ body, ip }) => {
    await guarded(ip, () => giveUpSignIn(gate, body))
    return { status: 'success' }
  })
}
