import { mkdir } from 'node:fs/promises'
import { WrongFolder } from '../../files/storage/folder-mark.ts'
import type { Database } from '../../platform/db/database.ts'
import { EmbeddedPostgresError, systemErrorCode } from '../../platform/db/embedded/errors.ts'
import { DatabaseTooNew, DatabaseTooOld, OldProcesses } from '../../platform/db/migrate.ts'
import { MasterSecretError } from '../../platform/installation-keys/open-secrets.ts'
import { ConfigError } from './config.ts'

/**
 * Something that a setting refers to is missing or unusable. The message is one sentence that begins with the
 * setting.
 */
export class StartError extends Error {
  override name = 'StartError'
}

/**
 * Returns the text to print for an error that ended a process: a sentence if the operator can fix it,
 * otherwise all details.
 */
export function describeFailure(error: unknown): string {
  const expected = [
    ...[
      ConfigError,
      StartError,
      DatabaseTooOld,
      DatabaseTooNew,
      OldProcesses,
      MasterSecretError,
      WrongFolder,
    ],
    EmbeddedPostgresError,
  ]
  if (expected.some((kind) => error instanceof kind)) return String((error as Error).message) // one of these classes
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Creates the data folder. Throws StartError. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    // other users must be able to traverse to the database's own folder below; the contents are private
    await mkdir(folder, { recursive: true, mode: 0o755 })
  } catch (error) {
    throw new StartError(`DATA_DIR: the folder ${folder} can't be created (${codeOf(error)}).`, {
      cause: error,
    })
  }
}

/** Connects once. Throws StartError. */
export async function requireDatabase({ pool }: Database, url: string): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    throw new StartError(
      `DATABASE_URL: no connection to PostgreSQL at ${placeOf(url)}: ${reasonOf(error)}.`,
      {
        cause: error,
      },
    )
  }
}

/** Starts listening. Throws StartError. */
export async function listening(
  listen: () => Promise<unknown>,
  { HOST, PORT }: { readonly HOST: string; readonly PORT: number },
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const says = listenFailures[systemErrorCode(error) ?? '']
    if (says === undefined) throw error
    throw new StartError(says(HOST, PORT), { cause: error })
  }
}

const listenFailures: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `PORT: port ${port} of ${host} is already in use.`,
  EACCES: (_host, port) => `PORT: this user isn't allowed to listen on port ${port}.`,
  EADDRNOTAVAIL: (host) => `HOST: ${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST: ${host} is not an address of this machine.`,
}

/** Returns host, port and name of a database, never its user or password. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'that address'
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || '5432'}, database ${pathname.slice(1) || '(default)'}`
}

const connectionFailures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'the socket does not exist',
  ENOTFOUND: "the host name isn't known",
  EAI_AGAIN: "the host name can't be looked up now",
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  '28P01': 'wrong user or password',
  '28000': 'the server does not allow this user to connect from this host',
  '3D000': 'the database does not exist',
  '53300': 'all connections of the server are in use',
  '57P03': 'the server is starting or stopping',
}

/** Returns why an external service can't be reached, as a clause. */
export function reasonOf(error: unknown): string {
  const known = connectionFailures[codeOf(error)]
  if (known !== undefined) return known
  const [line = 'unknown error'] = error instanceof Error ? error.message.split('\n') : []
  return line.replace(/\.$/, '')
}

/** Returns the code of a system error or PostgreSQL error. */
function codeOf(error: unknown): string {
  return systemErrorCode(error) ?? 'unknown error'
}
