import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The characters of short codes: capital letters and digits that cannot be mistaken for each other. */
const shortAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const longAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Keys derived from one master secret, one for each purpose. */
export class Secrets {
  readonly #master: Buffer

  constructor(master: string) {
    this.#master = Buffer.from(master, 'utf8')
  }

  /** `bytes` bytes bound to the purpose and the context. */
  derive(purpose: string, context: string | Buffer = '', bytes = 32): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, context, `gatehouse:${purpose}`, bytes))
  }

  /**
   * A code that can be made again from the row it belongs to, so that the database keeps only its hash
   * and a mail job needs no secret in its payload.
   */
  longCode(purpose: string, id: string): string {
    return spell(this.derive(`${purpose}:long`, id, 48), longAlphabet, 32)
  }

  shortCode(purpose: string, id: string, length: number): string {
    return spell(this.derive(`${purpose}:short`, id, 48), shortAlphabet, length)
  }

  /** AES-256-GCM under a key of the purpose; the result carries nonce and tag. */
  encrypt(purpose: string, text: string): Buffer {
    return seal(this.derive(purpose), Buffer.from(text, 'utf8'))
  }

  /** Throws when the data was made for another purpose, with another secret, or was altered. */
  decrypt(purpose: string, sealed: Buffer): string {
    return unseal(this.derive(purpose), sealed).toString('utf8')
  }
}

/** A random code that people read and type. */
export function randomShortCode(length: number): string {
  return Array.from({ length }, () => shortAlphabet.charAt(randomInt(shortAlphabet.length))).join('')
}

/** Maps bytes evenly to characters; bytes that would favour some characters are skipped. */
function spell(bytes: Buffer, alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  for (let block = bytes; text.length < length; block = createHash('sha384').update(block).digest()) {
    for (const byte of block) {
      if (byte < limit && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}

export function seal(key: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unseal(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * The master secret from the setting, else from `DATA_DIR/secrets/master`, made at the first start (0600).
 * Two processes that start at once end up with the same one: the file appears whole by a hard link.
 */
export async function loadMasterSecret(setting: string | undefined, dataDir: string): Promise<string> {
  if (setting !== undefined) return setting
  const folder = join(dataDir, 'secrets')
  const file = join(folder, 'master')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
