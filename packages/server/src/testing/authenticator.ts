import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { PasskeyProof, PasskeyRegistration } from '@gatehouse/contract/sessions/proofs'

/** A CBOR value (RFC 8949), as far as WebAuthn needs it. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  const bytes = Buffer.from([(major << 5) | 25, 0, 0])
  bytes.writeUInt16BE(count, 1)
  return bytes
}

const flag = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 }

interface Credential {
  readonly id: Buffer
  readonly key: KeyObject
  readonly publicKey: Buffer
  readonly userHandle: string
}

/** How a response deviates from an honest authenticator and browser. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  /** User presence without user verification. */
  readonly isUnverified?: boolean
  /** The claimed signature counter. */
  readonly counter?: number
  readonly userHandle?: string
}

/**
 * A software authenticator: creates passkeys (ES256, attestation "none") and signs with them; WebAuthn Level
 * 3, §6.
 */
export class SoftwareAuthenticator {
  readonly #origin: string
  readonly #isBackedUp: boolean
  #credential: Credential | undefined
  /** Number of signatures. Phone authenticators stay at 0: set it to undefined for those. */
  counter: number | undefined = 0

  constructor(origin = 'http://localhost:8000', isBackedUp = false) {
    this.#origin = origin
    this.#isBackedUp = isBackedUp
  }

  /** A clone with the same key, as an attacker would make. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.#origin, this.#isBackedUp)
    copy.#credential = this.#credential
    copy.counter = this.counter
    return copy
  }

  /** `navigator.credentials.create` */
  create(
    begun: { challenge: string; options: { challenge: string; rp: { id: string }; user: { id: string } } },
    deviation: Deviation = {},
  ): PasskeyRegistration {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const id = randomBytes(32)
    this.#credential = {
      id,
      key: privateKey,
      publicKey: encode(cose),
      userHandle: begun.options.user.id,
    }
    const authData = Buffer.concat([
      this.#authenticatorData(deviation.rpId ?? begun.options.rp.id, deviation, flag.attested),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      this.#credential.publicKey,
    ])
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      challenge: deviation.challenge ?? begun.challenge,
      response: {
        ...this.#named(),
        response: {
          clientDataJSON: this.#clientData('webauthn.create', begun.options.challenge, deviation).toString(
            'base64url',
          ),
          attestationObject: encode(attestation).toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      },
    }
  }

  /** `navigator.credentials.get` */
  get(
    asked: { challenge: string; options: { challenge: string; rpId: string } },
    deviation: Deviation = {},
  ): PasskeyProof {
    const credential = this.#present()
    if (this.counter !== undefined) this.counter++
    const clientData = this.#clientData('webauthn.get', asked.options.challenge, deviation)
    const authData = this.#authenticatorData(deviation.rpId ?? asked.options.rpId, deviation)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return {
      challenge: deviation.challenge ?? asked.challenge,
      response: {
        ...this.#named(),
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(credential.key).toString('base64url'),
          userHandle: deviation.userHandle ?? credential.userHandle,
        },
      },
    }
  }

  #present(): Credential {
    if (this.#credential === undefined) throw new Error('the authenticator has no passkey yet')
    return this.#credential
  }

  #named() {
    const id = this.#present().id.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const origin = deviation.origin ?? this.#origin
    return Buffer.from(
      JSON.stringify({ type: deviation.type ?? type, challenge, origin, crossOrigin: false }),
    )
  }

  #authenticatorData(rpId: string, deviation: Deviation, more = 0): Buffer {
    const verified = deviation.isUnverified === true ? 0 : flag.verified
    const backup = this.#isBackedUp ? flag.backupEligible | flag.backedUp : 0
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(deviation.counter ?? this.counter ?? 0)
    const flags = Buffer.from([flag.present | verified | backup | more])
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, counter])
  }
}
