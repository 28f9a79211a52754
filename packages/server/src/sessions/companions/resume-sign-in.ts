import { timingSafeEqual } from 'node:crypto'
import { after } from '../../platform/clock.ts'
import { isUuid } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { findPrompt, type Prompt } from './attempt-store.ts'
import { CompanionRefused, SignInNotConfirmed } from './errors.ts'
import { type GateParts, outcomeOf, takeUp } from './sign-in-gate.ts'

/** A pending sign-in as identified by its client. */
export interface NamedSignIn {
  readonly attempt: string
  readonly secret: string
}

/** Its original purpose: what was proved for a sign-in is not valid for a reset, and vice versa. */
export interface ResumedSignIn extends NamedSignIn {
  readonly service: 'web' | 'reset'
  readonly userId?: number
}

/** Returns a pending sign-in by its id. Throttles guesses. Throws CompanionRefused if unknown. */
export async function findSignIn(
  parts: GateParts & { readonly throttle: Throttle },
  named: NamedSignIn | ResumedSignIn,
  ip: string,
): Promise<Prompt> {
  const isGuess = (error: unknown) => error instanceof CompanionRefused
  return parts.throttle.guard({ kind: 'login-attempt', ip }, isGuess, async () => {
    const found = await findNamed(parts, named)
    if ('service' in named) {
      const { service, userId = found.userId } = named
      if (found.service !== service || found.userId !== userId) throw new CompanionRefused()
    }
    return found
  })
}

/**
 * Returns the outcome of a pending sign-in: the user's id, once, if it was confirmed, or its expiry if it is
 * still pending after so many seconds. Throws CompanionRefused if it has ended, or SignInNotConfirmed.
 */
export async function awaitSignIn(
  parts: GateParts,
  { id, userId }: Prompt,
  seconds: number,
): Promise<{ userId: number } | { expiresAt: Date }> {
  const { db, clock, watch } = parts
  const end = after(clock.now(), seconds)
  using following = await watch.follow(userId)
  for (;;) {
    const outcome = await outcomeOf(db, clock, id)
    if (!('prompt' in outcome)) {
      throw outcome.state === 'gone' ? new CompanionRefused() : new SignInNotConfirmed(outcome.state)
    }
    if (outcome.state === 'accepted') {
      if (await takeUp(db, clock, outcome.prompt)) return { userId }
      throw new CompanionRefused()
    }
    const expiresAt = outcome.prompt.expiresAt
    if (clock.now() >= end) return { expiresAt }
    if ((await following.called(end < expiresAt ? end : expiresAt)) === 'stopped') return { expiresAt }
  }
}

async function findNamed({ db }: GateParts, { attempt, secret }: NamedSignIn): Promise<Prompt> {
  const prompt = isUuid(attempt) ? await findPrompt(db, attempt) : undefined
  if (prompt?.secretHash == null || !timingSafeEqual(prompt.secretHash, sha256(secret))) {
    throw new CompanionRefused()
  }
  return prompt
}
