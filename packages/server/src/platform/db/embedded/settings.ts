import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The name of the database superuser; access is limited by the socket folder's permissions. */
export const DATABASE_USER = 'gatehouse'

/** The port is only part of the socket's file name. */
export const SOCKET_PORT = 5432

const FILE = 'gatehouse.conf'
const NOT_DURABLE = '# not durable'

/** The settings file of a server. */
export const settingsFile = (place: string) => join(place, FILE)

/** Quotes a text for PostgreSQL's settings file. */
export function quoteSetting(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** Renders the settings for a small host. They are included after initdb's file and override it. */
export function renderSettings(options: { socketFolder: string; durable: boolean }): string {
  const socketFolders = `"${options.socketFolder.replaceAll('"', '""')}"`
  return [
    options.durable ? '# durable' : NOT_DURABLE,
    '# Written at every start. Settings of your own: ALTER SYSTEM SET ..., or data/postgresql.conf.',
    "include 'data/postgresql.conf'",
    "listen_addresses = ''",
    `port = ${SOCKET_PORT}`,
    `unix_socket_directories = ${quoteSetting(socketFolders)}`,
    'unix_socket_permissions = 0700',
    'max_connections = 100',
    "shared_buffers = '128MB'",
    // limits how much WAL crash recovery has to replay, and thus its duration
    "max_wal_size = '256MB'",
    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    "log_destination = 'stderr'",
    'logging_collector = off',
    "log_line_prefix = '%m [%p] '",
    ...(options.durable ? [] : ['fsync = off', 'full_page_writes = off', 'synchronous_commit = off']),
    '',
  ].join('\n')
}

/** Writes the settings atomically, so that readers see either the old or the new file. */
export async function writeSettings(place: string, content: string): Promise<void> {
  const fresh = `${settingsFile(place)}.${randomUUID()}`
  // The server's own user must be able to read it; it contains no secrets.
  await writeFile(fresh, content, { flag: 'wx', mode: 0o644 })
  await rename(fresh, settingsFile(place))
}

/** Returns whether the server was last started as durable; null if it was never started. */
export async function wasDurable(place: string): Promise<boolean | null> {
  const content = await readFile(settingsFile(place), 'utf8').catch(() => null)
  return content === null ? null : !content.startsWith(NOT_DURABLE)
}

/** Returns the URL of a database behind the socket, for `pg` and libpq. */
export function databaseUrl(socketFolder: string, database: string): string {
  const host = encodeURIComponent(socketFolder).replaceAll('%2F', '/')
  return `postgres://${DATABASE_USER}@/${database}?host=${host}&port=${SOCKET_PORT}`
}
