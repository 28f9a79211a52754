import { maxFactors } from '@gatehouse/contract/sessions/factors'
import type {
  PasskeyProof,
  PasskeyRegistration,
  PasskeyRequest,
  passkeyCreationOptions,
} from '@gatehouse/contract/sessions/proofs'
import {
  type RegistrationResponseJSON,
  type VerifiedAuthenticationResponse,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { z } from 'zod'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { tellSecurity } from '../security-notice.ts'
import { type ChallengeUse, challengeLife, type PasskeyChallenges } from './passkey-challenges.ts'
import { addPasskey, findPasskey, notePasskeyUse, passkeysOf, type StoredPasskey } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** Algorithms in order of preference: Ed25519, ECDSA with P-256, RSA (COSE, RFC 9053). */
const algorithms = [-8, -7, -257]
const timeout = challengeLife * 1000
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

export interface PasskeyParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly challenges: PasskeyChallenges
  readonly party: RelyingParty
}

/** A user who starts to set up a passkey. */
export interface PasskeyOwner {
  readonly id: number
  readonly email: string
  readonly name: string
}

/** Origin of the browser that is asked for a passkey. */
export type AskedFrom = Pick<RequestFacts, 'ip' | 'variant'>

/** Passkey ceremonies (WebAuthn Level 3). A user can have several; each can also be the only proof. */
export class Passkeys {
  readonly #parts: PasskeyParts

  constructor(parts: PasskeyParts) {
    this.#parts = parts
  }

  /** Options for `navigator.credentials.create`; requires a discoverable credential. */
  async beginRegistration(
    owner: PasskeyOwner,
    { sessionId, ip, variant }: { sessionId: string } & AskedFrom,
  ): Promise<{ challenge: string; options: z.input<typeof passkeyCreationOptions> }> {
    const { party, challenges, db } = this.#parts
    const present = await passkeysOf(db, owner.id)
    if (present.length >= maxFactors)
      throw ValidationError.at('name', 'factors.too-many', { max: maxFactors })
    const { id, challenge } = await challenges.open(registrationUse(owner.id, sessionId), ip)
    const options = {
      rp: { id: party.idOf(variant), name: party.name },
      user: { id: this.#handleOf(owner.id), name: owner.email, displayName: owner.name || owner.email },
      challenge,
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout,
      excludeCredentials: present.map(describe),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'preferred' as const,
      },
      attestation: 'none' as const,
    }
    return { challenge: id, options }
  }

  /** Verifies the response to a registration; undefined if no open challenge of this session matches. */
  async register(
    { challenge, response }: PasskeyRegistration,
    owner: { readonly userId: number; readonly sessionId: string },
  ): Promise<NewPasskey | undefined> {
    const expectedChallenge = await this.#parts.challenges.take(
      challenge,
      registrationUse(owner.userId, owner.sessionId),
    )
    if (expectedChallenge === undefined) return undefined
    const { party } = this.#parts
    const verified = await checked(() =>
      verifyRegistrationResponse({
        response: registrationResponse(response),
        expectedChallenge,
        expectedOrigin: [...party.origins],
        expectedRPID: [...party.ids],
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }),
    )
    return verified?.verified === true ? newPasskey(verified, response) : undefined
  }

  /** Stores a passkey. Lock the user first. Throws ValidationError if it is already registered. */
  async keep(trx: Db, userId: number, passkey: NewPasskey, name: string): Promise<string> {
    const id = newUuid()
    const { credentialId, publicKey, counter, isBackedUp } = passkey
    const isNew = await addPasskey(trx, {
      id,
      userId,
      credentialId,
      publicKey,
      counter,
      transports: passkey.transports,
      name,
      isBackedUp,
      createdAt: this.#parts.clock.now(),
    })
    if (!isNew) throw ValidationError.at('response', 'factors.passkey-known')
    return id
  }

  /** Options for `navigator.credentials.get`, with the user's passkeys if the user is known. */
  async ask(use: ChallengeUse, { ip, variant }: AskedFrom): Promise<PasskeyRequest> {
    const { party, challenges, db } = this.#parts
    const known = use.userId === undefined ? [] : await passkeysOf(db, use.userId)
    const { id, challenge } = await challenges.open(use, ip)
    return {
      challenge: id,
      options: {
        challenge,
        timeout,
        rpId: party.idOf(variant),
        allowCredentials: known.map(describe),
        userVerification: use.purpose === 'alone' ? 'required' : 'preferred',
      },
    }
  }

  /**
   * Verifies a response, records the use and returns the passkey's user id. Undefined if it doesn't answer an
   * open challenge for this use with a passkey of the user. A counter that decreases indicates a clone: the
   * response is rejected, recorded and reported by mail.
   */
  async prove(
    { challenge, response }: PasskeyProof,
    use: ChallengeUse,
    ip: string,
  ): Promise<number | undefined> {
    const { challenges, db, clock } = this.#parts
    const expectedChallenge = await challenges.take(challenge, use)
    if (expectedChallenge === undefined) return undefined
    const passkey = await findPasskey(db, Buffer.from(response.id, 'base64url'))
    if (passkey === undefined || passkey.userId !== (use.userId ?? passkey.userId)) return undefined
    const handle = response.response.userHandle ?? (use.userId === undefined ? '' : undefined)
    if (handle !== undefined && handle !== this.#handleOf(passkey.userId)) return undefined
    const verified = await this.#verify(response, passkey, expectedChallenge, use.purpose === 'alone')
    if (verified?.verified !== true) return undefined
    const { newCounter: counter, credentialBackedUp: isBackedUp } = verified.authenticationInfo
    if (await notePasskeyUse(db, passkey.id, { counter, isBackedUp, at: clock.now() })) return passkey.userId
    await this.#recordClone(passkey, ip)
    return undefined
  }

  /** Returns the owner of the passkey that a response names, whether or not it is valid. */
  async ownerOf({ response }: PasskeyProof): Promise<number | undefined> {
    const passkey = await findPasskey(this.#parts.db, Buffer.from(response.id, 'base64url'))
    return passkey?.userId
  }

  #verify(
    response: PasskeyProof['response'],
    passkey: StoredPasskey,
    expectedChallenge: string,
    requireUserVerification: boolean,
  ): Promise<VerifiedAuthenticationResponse | undefined> {
    const { party } = this.#parts
    const { userHandle, ...signed } = response.response
    return checked(() =>
      verifyAuthenticationResponse({
        response: {
          ...{ id: response.id, rawId: response.rawId, type: response.type },
          clientExtensionResults: {},
          response: { ...signed, ...(userHandle != null && { userHandle }) },
        },
        expectedChallenge,
        expectedOrigin: [...party.origins],
        expectedRPID: [...party.ids],
        // the counter is compared when it is written, so that concurrent responses can't both pass
        credential: {
          id: passkey.credentialId.toString('base64url'),
          publicKey: new Uint8Array(passkey.publicKey),
          counter: 0,
        },
        requireUserVerification,
      }),
    )
  }

  /** Records a cloned passkey and notifies its owner by mail. */
  async #recordClone(
    { id, userId, tenantId, name }: StoredPasskey & { readonly tenantId: number },
    ip: string,
  ): Promise<void> {
    const { db, clock } = this.#parts
    await db.transaction().execute(async (trx) => {
      await audit(trx, clock, {
        tenantId,
        objectType: 'user',
        objectId: userId,
        event: 'user.passkey-cloned',
        actor: { ip },
        data: { passkey: id, name },
      })
      await tellSecurity(trx, this.#parts, { userId, kind: 'passkey-cloned', ip, what: name })
    })
  }

  /** The opaque user handle for authenticators, which doesn't reveal the user (WebAuthn §14.6.1). */
  #handleOf(userId: number): string {
    return this.#parts.secrets.derive('passkey-user', String(userId)).toString('base64url')
  }
}

/** A passkey that was verified but not yet stored. */
export interface NewPasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isBackedUp: boolean
  readonly transports: string[]
}

function registrationUse(userId: number, sessionId: string): ChallengeUse {
  return { purpose: 'register', userId, sessionId }
}

/** The library throws for invalid responses; anything a client sends is reported as "not accepted". */
async function checked<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

function registrationResponse(response: PasskeyRegistration['response']): RegistrationResponseJSON {
  const { clientDataJSON, attestationObject } = response.response
  return {
    ...{ id: response.id, rawId: response.rawId, type: response.type },
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject },
  }
}

function newPasskey(
  { registrationInfo }: Extract<VerifiedRegistrationResponse, { verified: true }>,
  { response }: PasskeyRegistration['response'],
): NewPasskey {
  const { credential, credentialBackedUp } = registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    isBackedUp: credentialBackedUp,
    transports: (response.transports ?? []).filter(isTransport),
  }
}

function isTransport(text: string): text is (typeof transports)[number] {
  return transports.some((known) => known === text)
}

function describe(passkey: StoredPasskey) {
  return {
    id: passkey.credentialId.toString('base64url'),
    type: 'public-key' as const,
    transports: passkey.transports.filter(isTransport),
  }
}
