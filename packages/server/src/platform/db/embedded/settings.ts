import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The name of the database superuser; nobody but the owner of the socket folder can use it. */
export const DATABASE_USER = 'gatehouse'

/** The port is part of the socket's file name, nothing listens on it. */
export const SOCKET_PORT = 5432

const FILE = 'gatehouse.conf'
const NOT_DURABLE = '# not durable'

/** Where the settings of the server in a place are kept. */
export const settingsFile = (place: string) => join(place, FILE)

/** A text as PostgreSQL's settings file wants it. */
export function quoteSetting(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** The settings for a small host. The file that initdb wrote comes first, so these win over it. */
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
    // limits how much WAL crash recovery has to replay, and so how long it takes
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

/** Writes the settings so that a reader sees the old or the new file, never half of one. */
export async function writeSettings(place: string, content: string): Promise<void> {
  const fresh = `${settingsFile(place)}.${randomUUID()}`
  // The server's own user must read it; it holds no secret.
  await writeFile(fresh, content, { flag: 'wx', mode: 0o644 })
  await rename(fresh, settingsFile(place))
}

/** Whether the server was last started to survive a power cut; null when it was never started. */
export async function wasDurable(place: string): Promise<boolean | null> {
  const content = await readFile(settingsFile(place), 'utf8').catch(() => null)
  return content === null ? null : !content.startsWith(NOT_DURABLE)
}

/** The address of a database behind the socket, as `pg` and libpq read it. */
export function databaseUrl(socketFolder: string, database: string): string {
  const host = encodeURIComponent(socketFolder).replaceAll('%2F', '/')
  return `postgres://${DATABASE_USER}@/${database}?host=${host}&port=${SOCKET_PORT}`
}
