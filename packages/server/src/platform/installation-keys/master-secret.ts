import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Minimum length of a master secret. */
export const shortestSecret = 32

/** Settings that locate the master secret. */
export interface MasterSource {
  readonly SECRET_KEY?: string | undefined
  readonly dataDir: string
}

export interface MasterSecrets {
  /** Newest first. */
  readonly listed: readonly [string, ...string[]]
  /** Possible interpretations: a list, or a single secret that contains a comma. */
  readonly readings: readonly string[]
  /** The setting or file that an operator has to check. */
  readonly from: string
}

/**
 * Reads the master secrets from the setting, or else from `DATA_DIR/secrets/master`; undefined if there are
 * none.
 */
export async function readMasterSecrets({
  SECRET_KEY: setting,
  dataDir,
}: MasterSource): Promise<MasterSecrets | undefined> {
  if (setting !== undefined) return readList(setting, 'SECRET_KEY')
  const file = masterFile(dataDir)
  try {
    return readList((await readFile(file, 'utf8')).trim(), file)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function readList(text: string, from: string): MasterSecrets {
  const [newest = text, ...older] = text.split(/[,\n]/).map((part) => part.trim())
  const isList = [newest, ...older].every((part) => part.length >= shortestSecret)
  // an installation may have used a secret with a comma for years
  if (!isList) return { listed: [text], readings: [text], from }
  return { listed: [newest, ...older], readings: [newest, ...older, text], from }
}

/**
 * Creates the master secret in `DATA_DIR/secrets/master` (0600). Processes that start concurrently end up with
 * the same one, because the file is created atomically by hard link.
 */
export async function makeMasterSecret(dataDir: string): Promise<void> {
  await writeMasterFile(dataDir, randomBytes(48).toString('base64url'))
}

async function writeMasterFile(dataDir: string, content: string): Promise<void> {
  const folder = join(dataDir, 'secrets')
  const file = masterFile(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${content}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
}

/**
 * Makes these the installation's master secrets: SECRET_KEY must be the same, or else they are written to
 * `DATA_DIR/secrets/master`. Another secret in that file is kept beside it if it may be replaced.
 */
export async function replaceMasterSecret(
  source: MasterSource,
  masters: readonly string[],
  mayReplace: boolean,
): Promise<'restored' | 'setting differs' | 'file differs'> {
  const present = await readMasterSecrets(source)
  const isSame = present?.listed.join() === masters.join()
  if (isSame) return 'restored'
  if (source.SECRET_KEY !== undefined) {
    return present?.readings.includes(masters[0] ?? '') === true ? 'restored' : 'setting differs'
  }
  const file = masterFile(source.dataDir)
  if (present !== undefined) {
    if (!mayReplace) return 'file differs'
    await rename(file, `${file}.replaced-${randomBytes(4).toString('hex')}`)
  }
  await writeMasterFile(source.dataDir, masters.join(','))
  return 'restored'
}

export function masterFile(dataDir: string): string {
  return join(dataDir, 'secrets', 'master')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
