import { randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sha256 } from '../../secrets.ts'

/**
 * An API key is `gh_<prefix>_<secret>_<checksum>`: secret scanners recognise its beginning, the prefix finds
 * it in the database, and the checksum reveals typing errors and truncation without a lookup.
 */
const pattern = /^gh_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

/** Anything that looks like an API key, as a program may paste it into a URL. */
const anywhere = /gh(?:_|%5f)[0-9a-z]{12}(?:_|%5f)[0-9a-z]{43}/i

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The parts of a new API key. */
export interface NewApiKey {
  readonly key: string
  readonly prefix: string
  readonly secretHash: Buffer
}

/** Generates an API key with a secret of 256 random bits. */
export function newApiKey(): NewApiKey {
  const prefix = encode(randomBytes(8), 12)
  const secret = encode(randomBytes(32), 43)
  return { key: formatApiKey(prefix, secret), prefix, secretHash: sha256(secret) }
}

/** Joins the parts of an API key and appends their checksum. */
export function formatApiKey(prefix: string, secret: string): string {
  const body = `gh_${prefix}_${secret}`
  return `${body}_${checksum(body)}`
}

/** Whether a bearer token claims to be an API key. Other tokens are shorter, and may begin like one by chance. */
export function isApiKey(token: string): boolean {
  return token.startsWith('gh_') && token.length > 43
}

/** Returns the parts of an API key; undefined if it is malformed or its checksum is wrong. */
export function readApiKey(token: string): { readonly prefix: string; readonly secret: string } | undefined {
  const [, prefix = '', secret = '', check] = pattern.exec(token) ?? []
  if (check === undefined || checksum(`gh_${prefix}_${secret}`) !== check) return undefined
  return { prefix, secret }
}

/** Compares a secret with a stored hash in constant time. */
export function isSecret(secret: string, secretHash: Buffer): boolean {
  const hash = sha256(secret)
  return hash.length === secretHash.length && timingSafeEqual(hash, secretHash)
}

/** Whether a URL contains an API key, which must never be sent there because URLs end up in logs. */
export function containsApiKey(url: string): boolean {
  return anywhere.test(url)
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return encode(bytes, 6)
}

/** Encodes bytes as a number in base 62 with a fixed length. */
function encode(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let at = 0; at < length; at++) {
    text = `${alphabet[Number(rest % 62n)] ?? ''}${text}`
    rest /= 62n
  }
  return text
}
