import { randomBytes } from 'node:crypto'
import { pairingLife, recoveryLife } from '@gatehouse/contract/sessions/companions'
import type { Hasher } from '../../passwords/hasher.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { HttpError, message, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { randomShortCode, sha256 } from '../../platform/secrets.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { actorOf } from '../../users/actor.ts'
import { tellSecurity } from '../security-notice.ts'
import type { Origin, TokenPair } from '../tokens/token-facts.ts'
import type { Tokens } from '../tokens/tokens.ts'
import {
  type Companion,
  createCompanion,
  findPairing,
  type PresentedSecret,
  registerCompanion,
  replacePairing,
  takePairing,
  tieSession,
} from './companion-store.ts'
import { tellDevices } from './push/push-job.ts'

export interface PairingParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly tokens: Tokens
  readonly hasher: Hasher
  readonly throttle: Throttle
}

/** The pairing secret is unknown, used or expired (401). */
export class PairingRefused extends HttpError {
  constructor() {
    super(401, message('companions.pairing-refused'))
  }
}

/** The password of a recovery device is missing or wrong (422). */
export class PairingPasswordWrong extends ValidationError {}

/** A device's new secret, which is shown only once. */
export interface NewPairing {
  readonly secret: string
  /** The code to type: letters and digits in two groups. */
  readonly code: string
  readonly expiresAt: Date
}

/** Adds an unpaired device and returns its id. Throws ValidationError at `name` if the user has too many. */
export async function addDevice(
  { db, clock }: Pick<PairingParts, 'db' | 'clock'>,
  principal: Principal,
  facts: { readonly name: string; readonly isRecovery: boolean },
  ip: string,
): Promise<string> {
  const { userId, tenantId } = principal
  return db.transaction().execute(async (trx) => {
    const id = await createCompanion(trx, clock.now(), { userId, ...facts })
    if (id === undefined) throw ValidationError.at('name', 'companions.too-many')
    await audit(trx, clock, {
      tenantId,
      objectType: 'user',
      objectId: userId,
      event: 'companion.created',
      actor: actorOf(principal, { ip }),
      data: { name: facts.name },
    })
    return id
  })
}

/**
 * Creates a pairing secret and invalidates the previous one. A recovery device's secret is valid for a year.
 */
export async function makePairing(db: Db, clock: Clock, companion: Companion): Promise<NewPairing> {
  const now = clock.now()
  const secret = randomBytes(20).toString('hex')
  const code = randomShortCode(10)
  const expiresAt = after(now, companion.isRecovery ? recoveryLife : pairingLife)
  await replacePairing(db, {
    companionId: companion.id,
    secretHash: sha256(secret),
    codeHash: sha256(code),
    from: now,
    until: expiresAt,
  })
  return { secret, code: `${code.slice(0, 5)}-${code.slice(5)}`, expiresAt }
}

/** A pairing secret as sent by a device. */
export interface SentSecret {
  readonly companionId?: string | null | undefined
  readonly secret?: string | null | undefined
  readonly code?: string | null | undefined
}

/** The details that a device reports. */
export interface DeviceFacts {
  readonly deviceId: string
  /** If absent, the current name is kept. */
  readonly name?: string
}

export interface Paired {
  readonly companionId: string
  readonly userId: number
  readonly tenantId: number
  readonly username: string
  readonly tokens: TokenPair
}

/**
 * Exchanges a pairing secret, once, for a session of scope `mfa`; a recovery device also needs its owner's
 * password. Guesses are throttled. With `device` it is paired in the same transaction, otherwise when it
 * registers. Throws PairingRefused or PairingPasswordWrong.
 */
export async function exchangePairing(
  parts: PairingParts,
  sent: SentSecret & { readonly password?: string | null | undefined },
  origin: Origin,
  device?: DeviceFacts,
): Promise<Paired> {
  const secret = readSecret(sent)
  const account = sent.companionId ?? sent.code ?? ''
  return parts.throttle.guard(
    { kind: 'pairing', account, ip: origin.ip },
    (error) =>
      error instanceof PairingRefused || (error instanceof PairingPasswordWrong && sent.password != null),
    async () => {
      if (secret === undefined) throw new PairingRefused()
      await requirePassword(parts, secret, sent.password, origin.ip)
      return parts.db.transaction().execute((trx) => exchange(trx, parts, secret, origin, device))
    },
  )
}

function readSecret({ companionId, secret, code }: SentSecret): PresentedSecret | undefined {
  if (companionId != null && secret != null) {
    return isUuid(companionId) ? { companionId, secretHash: sha256(secret) } : undefined
  }
  if (code == null) return undefined
  return { codeHash: sha256(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')) }
}

/** Required because another person may find the printed secret of a recovery device. */
async function requirePassword(
  { db, clock, hasher }: PairingParts,
  secret: PresentedSecret,
  password: string | null | undefined,
  ip: string,
): Promise<void> {
  const found = await findPairing(db, secret, clock.now())
  if (found?.isRecovery !== true) return
  if (password == null) throw new PairingPasswordWrong({ password: message('companions.password-needed') })
  if (!(await hasher.verify(found.passwordHash ?? undefined, password, { ip }))) {
    throw new PairingPasswordWrong({ password: message('companions.password-wrong') })
  }
}

async function exchange(
  trx: Db,
  parts: PairingParts,
  secret: PresentedSecret,
  origin: Origin,
  device: DeviceFacts | undefined,
): Promise<Paired> {
  const now = parts.clock.now()
  const found = await findPairing(trx, secret, now)
  if (found === undefined || !(await takePairing(trx, secret, now))) throw new PairingRefused()
  const tokens = await parts.tokens.begin(trx, found.userId, origin, ['mfa'])
  await tieSession(trx, sha256(tokens.accessToken), found.id)
  const paired = {
    companionId: found.id,
    userId: found.userId,
    tenantId: found.tenantId,
    username: found.email,
    tokens,
  }
  if (device !== undefined) await completePairing(trx, parts, { ...paired, ip: origin.ip, device })
  return paired
}

/** Records a device's details, which pairs it if it wasn't paired. */
export async function registerDevice(
  parts: Pick<PairingParts, 'db' | 'clock' | 'jobs'>,
  companion: Companion,
  device: DeviceFacts & { readonly notificationToken?: string },
  ip: string,
): Promise<void> {
  const { id: companionId, userId, tenantId, email: username } = companion
  await parts.db.transaction().execute(async (trx) => {
    if (companion.mfaEnabled) await registerCompanion(trx, companionId, parts.clock.now(), device)
    else await completePairing(trx, parts, { companionId, userId, tenantId, username, ip, device })
  })
}

/** Enables sign-in confirmation with a device, and notifies its owner by mail and on the other devices. */
async function completePairing(
  trx: Db,
  parts: Pick<PairingParts, 'clock' | 'jobs'>,
  paired: {
    readonly companionId: string
    readonly userId: number
    readonly tenantId: number
    readonly username: string
    readonly ip: string
    readonly device: DeviceFacts & { readonly notificationToken?: string }
  },
): Promise<void> {
  const { companionId, userId, ip, device } = paired
  const actor: Actor = { userId, email: paired.username, ip }
  const name = await registerCompanion(trx, companionId, parts.clock.now(), device)
  await audit(trx, parts.clock, {
    tenantId: paired.tenantId,
    objectType: 'user',
    objectId: userId,
    event: 'companion.paired',
    actor,
    data: { name },
  })
  await tellSecurity(trx, parts, { userId, kind: 'companion-paired', ip, what: name })
  await tellDevices(trx, parts.jobs, { userId, except: companionId, name })
}
