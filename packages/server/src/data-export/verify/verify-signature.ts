import { verify } from 'node:crypto'
import { z } from 'zod'
import { ExportDamaged } from './errors.ts'
import type { PublicKey } from './read-keys.ts'

const header = z.object({ alg: z.literal('EdDSA'), kid: z.string(), typ: z.literal('gatehouse-export') })

/** Checks the detached signature of a manifest. Throws ExportDamaged. Returns the id of the key. */
export function verifySignature(manifest: Uint8Array, signature: string, keys: readonly PublicKey[]): string {
  const [protectedPart = '', payload, signed = '', ...more] = signature.trim().split('.')
  const parsed = header.safeParse(decode(protectedPart))
  if (!parsed.success || payload !== '' || more.length > 0) {
    throw new ExportDamaged('The signature of the manifest has an unknown form.')
  }
  const { kid } = parsed.data
  const key = keys.find((one) => one.kid === kid) ?? keys.find((one) => one.kid === undefined)
  if (key === undefined) throw new ExportDamaged(`The manifest was signed with another key (${kid}).`)
  if (key.key.asymmetricKeyType !== 'ed25519') throw new ExportDamaged('The public key is of another kind.')
  const text = Buffer.from(`${protectedPart}.${Buffer.from(manifest).toString('base64url')}`)
  if (verify(null, text, key.key, Buffer.from(signed, 'base64url'))) return kid
  throw new ExportDamaged('The manifest was changed after it was signed.')
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
