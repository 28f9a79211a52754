import type { FactorKind, PasskeyProof } from '@gatehouse/contract/sessions/proofs'
import type { Hasher } from '../../passwords/hasher.ts'
import { replacePasswordHash } from '../../passwords/password-store.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Locator } from '../../platform/location.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { mustEnrol } from '../enforcement.ts'
import { SecondFactorInvalid } from '../second-factor/errors.ts'
import type { FactorProof, Factors } from '../second-factor/factors.ts'
import type { AskedFrom, Passkeys } from '../second-factor/passkeys.ts'
import { passesGeoLock } from './geo-lock.ts'
import type { SignInDevices } from './sign-in-device.ts'
import type { SignInTrace } from './sign-in-log.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { findSignInUser } from './sign-in-store.ts'

export interface Credentials extends FactorProof, AskedFrom {
  /** The device id that the browser sent. */
  readonly sentDevice: string | undefined
  /** In its canonical form. */
  readonly email: string
  readonly password: string
  /** Receives the user of the sign-in. */
  readonly trace: SignInTrace
}

export interface SignInParts {
  readonly db: Db
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly locator: Locator
  readonly factors: Factors
  readonly passkeys: Passkeys
  readonly devices: SignInDevices
  readonly secondFactorRules: SecondFactorRules
}

/** The signed-in user, and whether they must first set up a second factor. */
export interface SignedIn {
  readonly userId: number
  readonly mustEnrol: boolean
  /** The second factor used, if any. */
  readonly provedBy: FactorKind | undefined
}

/** A user who has given a first proof: the password, or a passkey that covers both factors. */
export interface SignInAttempt {
  readonly user: KnownUser
  readonly from: AskedFrom
  /** The second factor that was sent. */
  readonly proof: FactorProof
  /** Whether the first proof covered possession and user verification. */
  readonly isFactorProved: boolean
}

type KnownUser = NonNullable<Awaited<ReturnType<typeof findSignInUser>>>

/**
 * Authenticates a user; reference api-auth §5. Throttles guesses per account and network, separately from
 * those on known devices of the user. Throws SignInRefused, SecondFactorRequired, SecondFactorInvalid or
 * TooManyRequests.
 */
export async function signIn(parts: SignInParts, credentials: Credentials): Promise<SignedIn> {
  const { email, ip, trace } = credentials
  trace.lookup = {
    name: email,
    find: async () => (await findSignInUser(parts.db, { email }))?.id,
  }
  const device = await parts.devices.recognise({ email }, credentials)
  const whom = { ip, isKnown: device !== undefined }
  return parts.throttle.guard({ kind: 'login', account: email, ip, known: device }, isGuess, async () => {
    const user = await findSignInUser(parts.db, { email })
    const known = user?.role === 'service' ? undefined : user
    trace.user = user && { id: user.id, tenantId: user.tenantId }
    const correct = await parts.hasher.verify(known?.passwordHash, credentials.password, whom)
    if (known === undefined) throw new SignInRefused('notfound')
    if (!correct || known.passwordHash === null) throw new SignInRefused('password')
    const provedBy = await passGates(parts, {
      user: known,
      from: credentials,
      proof: credentials,
      isFactorProved: false,
    })
    if (parts.hasher.isOutdated(known.passwordHash)) {
      const hash = await parts.hasher.hash(credentials.password, whom)
      await replacePasswordHash(parts.db, known.id, hash)
    }
    return signedIn(parts, known, provedBy)
  })
}

/**
 * The same with a passkey alone, with user verification. Throws SignInRefused, with the same text for every
 * reason.
 */
export async function signInWithPasskey(
  parts: SignInParts,
  proof: PasskeyProof,
  from: AskedFrom & { readonly trace: SignInTrace },
): Promise<SignedIn> {
  const { trace } = from
  trace.lookup = {
    name: `passkey ${proof.response.id}`,
    find: () => parts.passkeys.ownerOf(proof),
  }
  return parts.throttle.guard(
    { kind: 'passkey', account: proof.response.id, ip: from.ip },
    isGuess,
    async () => {
      const userId = await parts.passkeys.prove(proof, { purpose: 'alone' }, from.ip)
      const user = userId === undefined ? undefined : await findSignInUser(parts.db, { id: userId })
      trace.user = user && { id: user.id, tenantId: user.tenantId }
      if (user === undefined || user.role === 'service') throw new SignInRefused('passkey')
      const provedBy = await passGates(parts, {
        user,
        from,
        proof: {},
        isFactorProved: true,
      })
      return signedIn(parts, user, provedBy)
    },
  )
}

/**
 * Checks after the first proof: the country, then the user's second factor. Confirmation by another device
 * comes last (`requireCompanion`), so that no one is prompted for a sign-in that hasn't passed everything
 * else.
 */
async function passGates(parts: SignInParts, attempt: SignInAttempt): Promise<FactorKind | undefined> {
  requireCountry(parts, attempt)
  return attempt.isFactorProved ? 'passkey' : requireFactor(parts, attempt)
}

function requireCountry({ locator }: SignInParts, { user, from, isFactorProved }: SignInAttempt): void {
  if (passesGeoLock(user.limitGeo ?? undefined, locator.country(from.ip))) return
  throw new SignInRefused(isFactorProved ? 'passkey' : 'geolocation')
}

async function requireFactor(
  { factors }: SignInParts,
  { user, from: { ip, variant }, proof }: SignInAttempt,
): Promise<FactorKind | undefined> {
  return user.hasFactor ? factors.require(user.id, proof, { purpose: 'login', ip, variant }) : undefined
}

function signedIn(parts: SignInParts, user: KnownUser, provedBy: FactorKind | undefined): SignedIn {
  return { userId: user.id, mustEnrol: mustEnrol(parts.secondFactorRules, user), provedBy }
}

/** Every rejection counts as a guess, except a missing second factor. */
function isGuess(error: unknown): boolean {
  return error instanceof SignInRefused || error instanceof SecondFactorInvalid
}
