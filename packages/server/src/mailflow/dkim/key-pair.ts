import { createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

export const dkimAlgorithms = ['rsa', 'ed25519'] as const
export type DkimAlgorithm = (typeof dkimAlgorithms)[number]

export interface DkimKeyPair {
  readonly algorithm: DkimAlgorithm
  /** PKCS #8, PEM. */
  readonly privateKey: string
  /** Value of `p=` in the DNS, Base64. */
  readonly publicKey: string
}

const generate = promisify(generateKeyPair)
/** Longer keys don't fit into one string of a TXT record, and some servers don't check them (RFC 8301 §3.2). */
const rsaBits = 2048
/** Bytes before the key itself in the SPKI form of an Ed25519 key (RFC 8410). */
const ed25519Prefix = 12

/** Generates a key pair off the event loop. */
export async function generateDkimKeyPair(algorithm: DkimAlgorithm): Promise<DkimKeyPair> {
  const { privateKey } =
    algorithm === 'rsa' ? await generate('rsa', { modulusLength: rsaBits }) : await generate('ed25519')
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const published = algorithm === 'rsa' ? spki : spki.subarray(ed25519Prefix)
  return {
    algorithm,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: published.toString('base64'),
  }
}
