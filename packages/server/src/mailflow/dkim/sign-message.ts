import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { isHostName } from '../../users/addresses/email-address.ts'
import { type HeaderField, splitMessage } from '../sender-authentication/message-header.ts'
import { relaxedBodyHash, relaxedField } from './canonical-form.ts'
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

/** Fields that are signed if a message has them (RFC 6376 §5.4.1). */
const signedFields = new Set([
  ...['from', 'sender', 'reply-to', 'subject', 'date', 'message-id', 'to', 'cc', 'mime-version'],
  ...['content-type', 'content-transfer-encoding', 'content-id', 'content-description'],
  ...['resent-date', 'resent-from', 'resent-sender', 'resent-to', 'resent-cc', 'resent-message-id'],
  ...['in-reply-to', 'references', 'list-id', 'list-help', 'list-unsubscribe', 'list-subscribe'],
  ...['list-post', 'list-owner', 'list-archive', 'bimi-selector'],
])

/** Signs in the thread pool, so that other messages are handled meanwhile. */
const signAside: (algorithm: 'sha256' | null, data: Buffer, key: KeyObject) => Promise<Buffer> =
  promisify(sign)

/** Keys that were read before. */
const readKeys = new WeakMap<SigningKey, KeyObject>()

/**
 * Signs a message for a domain, once with each key (RFC 6376, RFC 8463). Returns the fields to insert at the top, as
 * `Name: value` with lines that end with CRLF, without the last line break. Throws a `DkimSigningError` if one of the keys
 * can't be used.
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
  const { fields, body } = splitMessage(message)
  // of several fields with a name, the last one is the first (RFC 6376 §5.4.2)
  const signed = fields.filter(({ name }) => signedFields.has(name)).reverse()
  const parts = { domain, now, signed, bodyHash: relaxedBodyHash(body) }
  const header = signed.map(({ line }) => `${relaxedField(line)}\r\n`).join('')
  return Promise.all(keys.map((key) => signature(key, header, parts)))
}

interface SignatureParts {
  readonly domain: string
  readonly now: Date
  readonly signed: readonly HeaderField[]
  readonly bodyHash: string
}

async function signature(
  key: SigningKey,
  header: string,
  { domain, now, signed, bodyHash }: SignatureParts,
): Promise<string> {
  const { algorithm, selector } = key
  const field = [
    `DKIM-Signature: v=1; a=${algorithm}-sha256; c=relaxed/relaxed; q=dns/txt;`,
    ` d=${domain}; s=${selector}; t=${Math.floor(now.getTime() / 1000)};`,
    ` h=${folded(
      signed.map(({ name }) => name),
      ':',
    )};`,
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n')
  try {
    const data = Buffer.from(header + relaxedField(field), 'latin1')
    const bytes =
      algorithm === 'rsa'
        ? await signAside('sha256', data, keyOf(key))
        : await signAside(null, createHash('sha256').update(data).digest(), keyOf(key))
    return field + folded(bytes.toString('base64').match(/.{1,70}/g) ?? [], '')
  } catch (error) {
    throw new DkimSigningError(`${domain} can't be signed for`, { cause: error })
  }
}

/** Parts with separators, in lines of up to 78 characters. */
function folded(parts: readonly string[], separator: string): string {
  let text = ''
  let length = 3
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const next = isLast ? part : `${part}${separator}`
    if (length > 3 && length + next.length > 77) {
      text += '\r\n '
      length = 1
    }
    text += next
    length += next.length
  }
  return text
}

function keyOf(key: SigningKey): KeyObject {
  const known = readKeys.get(key)
  if (known !== undefined) return known
  const read = createPrivateKey(key.privateKey)
  if (read.asymmetricKeyType !== key.algorithm) throw new TypeError(`not a key for ${key.algorithm}`)
  readKeys.set(key, read)
  return read
}
