import { createECDH } from 'node:crypto'
import type { Secrets } from '../../../platform/secrets.ts'

/** The keys by which push services know this installation (RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Made from the master secret, so that every process has the same ones and there is one secret to keep. */
export function pushKeys(secrets: Secrets): PushKeys {
  const curve = createECDH('prime256v1')
  for (let round = 0; ; round++) {
    try {
      curve.setPrivateKey(secrets.derive('push', String(round)))
      break
    } catch {
      // one in four thousand million texts is no key of this curve
    }
  }
  return {
    publicKey: curve.getPublicKey('base64url'),
    privateKey: curve.getPrivateKey('base64url').padStart(43, 'A'),
  }
}

/** Purpose of the key that seals subscriptions in the database. */
export const subscriptionPurpose = 'push-subscription'
