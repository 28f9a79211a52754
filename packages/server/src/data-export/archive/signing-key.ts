import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { ExportKey } from '@gatehouse/contract/directory/data-exports'
import type { Secrets } from '../../platform/secrets.ts'

/** DER of an Ed25519 private key (RFC 8410) up to its 32 bytes. */
const privateKeyStart = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key that signs exports of an installation, and its public part. */
export interface SigningKey {
  readonly key: KeyObject
  readonly published: ExportKey
}

/**
 * Derived from the first key of the installation, which never changes: an export can be verified for as long as
 * somebody keeps it, unlike an ID token.
 */
export function signingKey(secrets: Secrets): SigningKey {
  const seed = secrets.derive('export-signature')
  const key = createPrivateKey({
    key: Buffer.concat([privateKeyStart, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return {
    key,
    published: { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), alg: 'EdDSA', use: 'sig' },
  }
}

/** Signs with a JWS whose content is detached (RFC 7515, Appendix F). */
export function signDetached({ key, published }: SigningKey, content: Uint8Array): string {
  const header = { alg: 'EdDSA', kid: published.kid, typ: 'gatehouse-export' }
  const protectedPart = Buffer.from(JSON.stringify(header)).toString('base64url')
  const signed = `${protectedPart}.${Buffer.from(content).toString('base64url')}`
  return `${protectedPart}..${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

/** RFC 7638. */
function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}
