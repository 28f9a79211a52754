import { confirmedLife, deniedLife } from '@gatehouse/contract/sessions/companions'
import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import {
  decidePrompts,
  holdAttempt,
  lastPrompt,
  openPrompts,
  type Prompt,
  setAttempt,
} from './attempt-store.ts'
import { takeUpLife } from './sign-in-gate.ts'

/** The given number doesn't match a pending sign-in (422 at `number`). */
export class WrongNumber extends ValidationError {
  constructor() {
    super({ number: { key: 'companions.number-wrong' } })
  }
}

/** A sign-in to decide. */
export interface DecidedAttempt {
  readonly id: string
  readonly userId: number
  readonly tenantId: number
  readonly ip: string
}

export interface Decision {
  readonly number: string | undefined
  /** Trust the address for eight hours; otherwise only this sign-in. */
  readonly remember: boolean
  readonly actor: Actor
}

/**
 * Approves a sign-in; reference api-auth §7. If screens show a number, only the one with the given number.
 * With nothing pending the address is approved, unless the last prompt was a screen with a number. Throws
 * WrongNumber, ValidationError at `number`, or NotFound if the attempt no longer exists.
 */
export async function confirmAttempt(
  db: Db,
  clock: Clock,
  attempt: DecidedAttempt,
  decision: Decision,
): Promise<void> {
  await db.transaction().execute((trx) => confirm(trx, clock, attempt, decision))
}

async function confirm(trx: Db, clock: Clock, attempt: DecidedAttempt, decision: Decision): Promise<void> {
  if (!(await holdAttempt(trx, attempt.id))) throw new NotFound()
  const now = clock.now()
  const open = (await openPrompts(trx, attempt.userId, now)).filter(
    ({ attemptId }) => attemptId === attempt.id,
  )
  const meant = open.filter(({ number }) => number === (decision.number ?? null))
  if (meant.length === 0) await refuse(trx, attempt.id, open, decision.number)
  await decidePrompts(
    trx,
    meant.map(({ id }) => id),
    'ACCEPTED',
    after(now, takeUpLife),
  )
  if (decision.remember) {
    await setAttempt(trx, attempt.id, now, { status: 'ACCEPTED', expiresAt: after(now, confirmedLife) })
  }
  await note(trx, clock, attempt, 'sign-in.confirmed', decision.actor, { remember: decision.remember })
}

/** Throws the error of a confirmation that matches no pending sign-in; returns if none was needed. */
async function refuse(
  trx: Db,
  attemptId: string,
  open: readonly Prompt[],
  number: string | undefined,
): Promise<void> {
  if (open.length > 0) {
    throw number === undefined ? ValidationError.at('number', 'companions.number-needed') : new WrongNumber()
  }
  const last = await lastPrompt(trx, attemptId)
  if (last !== undefined && last.number !== null) throw ValidationError.at('number', 'companions.expired')
}

/** Denies a sign-in, everything pending from that address, and further ones within ten minutes. */
export async function denyAttempt(
  db: Db,
  clock: Clock,
  attempt: DecidedAttempt,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute((trx) => deny(trx, clock, attempt, actor))
}

async function deny(trx: Db, clock: Clock, attempt: DecidedAttempt, actor: Actor): Promise<void> {
  if (!(await holdAttempt(trx, attempt.id))) throw new NotFound()
  const now = clock.now()
  const open = await openPrompts(trx, attempt.userId, now)
  const those = open.filter(({ attemptId }) => attemptId === attempt.id).map(({ id }) => id)
  await decidePrompts(trx, those, 'DENIED', now)
  await setAttempt(trx, attempt.id, now, { status: 'DENIED', expiresAt: after(now, deniedLife) })
  await note(trx, clock, attempt, 'sign-in.denied', actor, {})
}

async function note(
  trx: Db,
  clock: Clock,
  attempt: DecidedAttempt,
  event: string,
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  await audit(trx, clock, {
    tenantId: attempt.tenantId,
    objectType: 'user',
    objectId: attempt.userId,
    event,
    actor,
    data: { ...data, from: attempt.ip },
  })
}
