import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { isHostName } from '../../users/addresses/email-address.ts'
import { withCrlf } from '../sender-authentication/message-header.ts'
import type { DkimAlgorithm } from './key-pair.ts'

export interface SigningKey {
  readonly algorithm: DkimAlgorithm
  readonly selector: string
  /** PKCS #8, PEM. */
  readonly privateKey: string
}

/** A message can't be signed with the keys of a domain. */
export class DkimSigningError extends Error {
  override readonly name = 'DkimSigningError'
}

/**
 * Signs a message for a domain, once with each key. Returns the fields to insert at the top, as `Name: value` with lines
 * that end with CRLF, without the last line break. Throws a `DkimSigningError` if one of the keys can't be used.
 */
export async function signMessage(
  message: Buffer,
  domain: string,
  keys: readonly SigningKey[],
  now: Date,
): Promise<readonly string[]> {
  if (!isHostName(domain) || keys.some(({ selector }) => !/^[a-z0-9-]{1,63}$/.test(selector))) {
    throw new DkimSigningError(`Invalid domain or selector: ${JSON.stringify(domain)}`)
  }
  const { signatures, errors } = await dkimSign(withCrlf(message), {
    canonicalization: 'relaxed/relaxed',
    signTime: now,
    signatureData: keys.map(({ algorithm, selector, privateKey }) => ({
      signingDomain: domain,
      selector,
      privateKey,
      algorithm: `${algorithm}-sha256`,
    })),
  } as Parameters<typeof dkimSign>[1]) // the library's type demands a single key beside the list
  if (errors.length > 0) throw new DkimSigningError(`${domain} can't be signed for`, { cause: errors })
  return signatures.split(/\r\n(?![ \t])/).filter((field) => field !== '')
}
