import { randomBytes, scrypt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { seal, unseal } from '../../platform/secrets.ts'
import { BackupDamaged, BackupError } from './errors.ts'

/** Minimum length of a passphrase. */
export const shortestPassphrase = 12

/** Cost of deriving the key: 128 MiB of memory. A backup never chooses it. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)

/** The secrets of an installation, and the key that authenticates the manifest of the backup. */
const secretsSchema = z.object({
  /** Master secrets, newest first. */
  masters: z.array(z.string()).min(1),
  manifestKey: z.string(),
})

export type BackupSecrets = z.infer<typeof secretsSchema>

const fileSchema = z.object({
  kdf: z.literal('scrypt-131072-8-1'),
  salt: z.string(),
  sealed: z.string(),
})

/** Encrypts the secrets with a passphrase. */
export async function writeSecrets(file: string, secrets: BackupSecrets, passphrase: string): Promise<void> {
  const salt = randomBytes(16)
  const sealed = seal(await derive(passphrase, salt, 32, cost), Buffer.from(JSON.stringify(secrets)))
  const content: z.infer<typeof fileSchema> = {
    kdf: 'scrypt-131072-8-1',
    salt: salt.toString('base64'),
    sealed: sealed.toString('base64'),
  }
  await writeFile(file, JSON.stringify(content), { flag: 'wx', mode: 0o600, flush: true })
}

/** Decrypts the secrets. Throws BackupError if the passphrase is wrong or the file was changed. */
export async function readSecrets(file: string, passphrase: string): Promise<BackupSecrets> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new BackupDamaged('secrets.json', 'is missing')
  })
  const { salt, sealed } = parsed(text)
  const key = await derive(passphrase, Buffer.from(salt, 'base64'), 32, cost)
  let plain: Buffer
  try {
    plain = unseal(key, Buffer.from(sealed, 'base64'))
  } catch (error) {
    throw new BackupError('The passphrase is wrong, or secrets.json of the backup was changed.', {
      cause: error,
    })
  }
  return secretsSchema.parse(JSON.parse(plain.toString('utf8')))
}

function parsed(text: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(text))
  } catch {
    throw new BackupDamaged('secrets.json', "can't be read")
  }
}
