import { randomInt } from 'node:crypto'
import { deniedLife, maxPrompts, promptLife, type SignInWaiting } from '@gatehouse/contract/companions'
import type { FactorKind } from '@gatehouse/contract/proofs'
import { holdUser } from '../accounts/member-store.ts'
import { after, type Clock, hour } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { TooManyRequests } from '../platform/http/errors.ts'
import { randomToken } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { sha256 } from '../platform/secrets.ts'
import {
  type Attempt,
  countUnanswered,
  dropPrompt,
  findPrompt,
  insertPrompt,
  lookAtSignIn,
  meetAttempt,
  noteSeen,
  openPrompts,
  type Prompt,
  passwordHashOf,
  type SignInPlace,
  setAttempt,
  takeLoose,
  takePrompt,
} from './attempt-store.ts'
import type { CompanionWatch } from './companion-watch.ts'
import { CompanionRefused, NotConfirmedYet, SignInNotConfirmed, Stopping } from './errors.ts'
import { presentMoment } from './present.ts'
import { pushJob } from './push-job.ts'

export interface GateParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly watch: CompanionWatch
  /** The installation has companion devices. */
  readonly isOffered: boolean
}

export interface SignInToConfirm {
  readonly userId: number
  readonly ip: string
  /** `web`, or the mail service. */
  readonly service: string
  readonly userAgent?: string
  /** The second factor was proved with; a recovery code stands in for a lost device as well. */
  readonly provedBy?: FactorKind | undefined
  /**
   * `here`: the answer comes with the decision. `elsewhere`: a waiting sign-in is returned, which is taken up with
   * `resumeSignIn`. `not`: refused now, and let in when it comes again after the confirmation.
   */
  readonly wait: 'here' | 'elsewhere' | 'not'
}

/** Sign-ins to one service within an hour that may go unanswered before no device is asked any more. */
const unanswered = 10

/** Seconds that an accepted sign-in may still be taken up, however late it was accepted. */
export const takeUpLife = 30

/**
 * The last step of a sign-in: a user who has a paired device confirms there, unless the address was let in within
 * eight hours, or a recovery code was given; reference api-auth §7. Returns undefined when the sign-in passes, or what waits. Throws
 * CompanionRefused, SignInNotConfirmed (`elsewhere`), Stopping, or TooManyRequests when too much waits already.
 */
export async function requireCompanion(
  parts: GateParts,
  signIn: SignInToConfirm,
): Promise<SignInWaiting | undefined> {
  const { db, clock } = parts
  if (!parts.isOffered || signIn.provedBy === 'recovery') return undefined
  const known = await lookAtSignIn(db, signIn.userId, signIn.ip)
  if (known?.is_guarded !== true) return undefined
  const now = clock.now()
  if (known.id !== null && holds(known, now)) {
    await noteSeen(db, known.id, now)
    if (known.status === 'ACCEPTED') return undefined
    throw signIn.wait === 'elsewhere' ? new SignInNotConfirmed('denied-recently') : new CompanionRefused()
  }
  const opened = await db.transaction().execute((trx) => openPrompt(trx, parts, signIn))
  if (opened === undefined) return undefined
  if (signIn.wait === 'not') throw new NotConfirmedYet()
  if (signIn.wait === 'here') return waitHere(parts, signIn.userId, opened.id)
  return {
    status: 'waiting',
    attempt: opened.id,
    secret: opened.secret,
    number: opened.number ?? '',
    expiresAt: presentMoment(opened.expiresAt),
  }
}

/** A decision about an address that is in force. */
function holds(attempt: { status: Attempt['status'] | null; expires_at: Date | null }, now: Date): boolean {
  return attempt.status !== 'NEW' && attempt.expires_at !== null && now < attempt.expires_at
}

interface Opened {
  readonly id: string
  readonly secret: string
  readonly number: string | null
  readonly expiresAt: Date
}

/** Writes down that a sign-in waits, and has the devices told; undefined when it was let in meanwhile. */
async function openPrompt(
  trx: Db,
  { clock, jobs }: GateParts,
  signIn: SignInToConfirm,
): Promise<Opened | undefined> {
  const { userId, service } = signIn
  // many at once count each other
  if (!(await holdUser(trx, userId))) throw new CompanionRefused()
  const now = clock.now()
  const place: SignInPlace = { ...signIn, userAgent: (signIn.userAgent ?? '').slice(0, 512) }
  const attempt = await meetAttempt(trx, place, now)
  if (holds(attempt, now)) {
    if (attempt.status === 'ACCEPTED') return undefined
    throw new CompanionRefused()
  }
  if (signIn.wait === 'not' && (await takeLoose(trx, attempt.id, service, now))) return undefined
  const open = await openPrompts(trx, userId, now)
  const same = open.find((prompt) => isSame(prompt, attempt.id, signIn))
  if (same !== undefined) return { id: same.id, secret: '', number: null, expiresAt: same.expires_at }
  await refuseTooMany(trx, open, { userId, service }, now)
  await setAttempt(trx, attempt.id, now, { status: 'NEW', expires_at: null })
  const isElsewhere = signIn.wait === 'elsewhere'
  const secret = randomToken()
  const number = isElsewhere ? drawNumber(open) : null
  const expiresAt = after(now, promptLife)
  const id = await insertPrompt(trx, {
    attempt_id: attempt.id,
    user_id: userId,
    service,
    user_agent: place.userAgent,
    number,
    secret_hash: isElsewhere ? sha256(secret) : null,
    password_mark: await passwordMark(trx, userId),
    created_at: now,
    expires_at: expiresAt,
  })
  await jobs.enqueue(trx, pushJob, { userId, attemptId: attempt.id, promptId: id }, { key: `push:${id}` })
  return { id, secret, number, expiresAt }
}

/** A program that is away and comes back meets what it asked before. */
function isSame(prompt: Prompt, attemptId: string, { service, wait }: SignInToConfirm): boolean {
  const { attempt_id, service: of, secret_hash } = prompt
  return wait === 'not' && attempt_id === attemptId && of === service && secret_hash === null
}

/** Nobody is worn down with prompts: neither many at once nor one after another (TooManyRequests). */
async function refuseTooMany(
  trx: Db,
  open: readonly Prompt[],
  { userId, service }: { userId: number; service: string },
  now: Date,
): Promise<void> {
  const [oldest] = open
  if (oldest !== undefined && open.length >= maxPrompts)
    throw new TooManyRequests(secondsTo(oldest.expires_at, now))
  const recent = await countUnanswered(trx, userId, service, after(now, -hour))
  if (recent >= unanswered) throw new TooManyRequests(deniedLife)
}

function secondsTo(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}

/** Two digits that no other waiting sign-in of the user shows. */
function drawNumber(open: readonly Prompt[]): string {
  const taken = new Set(open.map(({ number }) => number))
  for (;;) {
    const number = String(randomInt(10, 100))
    if (!taken.has(number)) return number
  }
}

/** Of the password that a sign-in was proved with. */
async function passwordMark(db: Db, userId: number): Promise<Buffer | null> {
  const hash = await passwordHashOf(db, userId)
  return hash === undefined ? null : sha256(hash)
}

async function waitHere(parts: GateParts, userId: number, promptId: string): Promise<undefined> {
  const { db, clock, watch } = parts
  using following = await watch.follow(userId)
  for (;;) {
    const outcome = await outcomeOf(db, clock, promptId)
    if (outcome.state === 'accepted' && (await takeUp(db, clock, outcome.prompt))) return undefined
    if (outcome.state !== 'waiting') throw new CompanionRefused()
    if ((await following.called(outcome.prompt.expires_at)) === 'stopped') {
      await dropPrompt(db, promptId)
      throw new Stopping()
    }
  }
}

export type Outcome =
  | { readonly state: 'waiting'; readonly prompt: Prompt }
  | { readonly state: 'accepted'; readonly prompt: Prompt }
  | { readonly state: 'denied' | 'expired' | 'gone' }

/** What has become of a sign-in that waited. */
export async function outcomeOf(db: Db, clock: Clock, promptId: string): Promise<Outcome> {
  const prompt = await findPrompt(db, promptId)
  if (prompt === undefined || prompt.status === 'USED') return { state: 'gone' }
  if (prompt.status === 'DENIED') return { state: 'denied' }
  if (clock.now() >= prompt.expires_at) return { state: 'expired' }
  return { state: prompt.status === 'WAITING' ? 'waiting' : 'accepted', prompt }
}

/** Takes up an accepted sign-in, once; false when somebody was first, or its password is no more. */
export async function takeUp(db: Db, clock: Clock, prompt: Prompt): Promise<boolean> {
  if (!(await takePrompt(db, prompt.id, clock.now()))) return false
  const mark = await passwordMark(db, prompt.user_id)
  return mark === null || prompt.password_mark === null
    ? mark === prompt.password_mark
    : mark.equals(prompt.password_mark)
}
