import { createECDH } from 'node:crypto'
import type { Secrets } from '../../../platform/secrets.ts'

/** The installation's keys for push services (VAPID, RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Derived from the master secret, so that all processes share them and there is only one secret to keep. */
export function pushKeys(secrets: Secrets): PushKeys {
  const curve = createECDH('prime256v1')
  for (let round = 0; ; round++) {
    try {
      curve.setPrivateKey(secrets.derive('push', String(round)))
      break
    } catch {
      // one in four billion values is not a valid key of this curve
    }
  }
  return {
    publicKey: curve.getPublicKey('base64url'),
    privateKey: curve.getPrivateKey('base64url').padStart(43, 'A'),
  }
}

/** Purpose of the key that seals subscriptions in the database. */
export const subscriptionPurpose = 'push-subscription'
