import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { findBinaries } from './binaries.ts'
import { dataFolderOf, dataVersionOf, initialiseCluster, removeUnfinished } from './cluster.ts'
import { awaitDurable, checkDatabaseName, createDatabase } from './database.ts'
import { UnsupportedPlatformError } from './errors.ts'
import { withFolderLock } from './folder-lock.ts'
import type { EmbeddedPostgresLog } from './log.ts'
import { choosePlace, chooseUser, openFolder, readLocation, writeLocation } from './placement.ts'
import { livingUsers, registerUser } from './process/living-users.ts'
import { awaitReady, sendSignal, startPostmaster, stopPostmaster } from './process/postmaster.ts'
import { findPostmaster, type RunningPostmaster } from './process/postmaster-file.ts'
import { isAlive } from './process/process-identity.ts'
import { type RunAs, runCommand } from './process/run-command.ts'
import { watchPostmaster } from './process/watch-postmaster.ts'
import { databaseUrl, renderSettings, settingsFile, wasDurable, writeSettings } from './settings.ts'
import { chooseSocketFolder } from './socket-folder.ts'
import { machineSurroundings, type Surroundings } from './surroundings.ts'

/** An embedded PostgreSQL server, in use until `stop` is called. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** The URL of the database for `pg` and libpq, via a unix socket. */
  readonly url: string
  /** Ends this use. The server stops with its last user, and the promise settles when it has stopped. */
  stop(): Promise<void>
}

/** Options for starting an embedded server. */
export interface EmbeddedPostgresOptions {
  /** Folder for all files of the server, e.g. `<DATA_DIR>/postgres`. Created if missing. */
  readonly folder: string
  /** Created if missing. */
  readonly database: string
  /**
   * Whether committed data survives a power failure. False is for tests and several times faster. A shared
   * server is durable as soon as one of its users requires it.
   */
  readonly durable: boolean
  /** Whether the server is restarted if it dies. Defaults to false. */
  readonly isWatched?: boolean
  readonly log: EmbeddedPostgresLog
}

/**
 * Starts PostgreSQL on a folder, or joins the server already running on it, which may belong to another or a
 * killed process. It listens only on a unix socket and keeps running until every process using it has stopped
 * or died. The folder contains `data` (PostgreSQL's files), `run` (the socket), `gatehouse.conf` (settings,
 * written at every start), `postgres.log`, `users` and `lock` (who uses the server). As root, the server runs
 * as the user `postgres`, `gatehouse-pg` or `nobody`. If that user can't access the folder, `data`, `run` and
 * `gatehouse.conf` are in `/var/lib/gatehouse/<hash of the folder>` instead, and copies of the binaries, if
 * needed, in `/var/cache/gatehouse`. A socket whose path would be too long is placed in a temporary folder.
 * `location.json` in the folder records where such parts are.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
  surroundings?: Surroundings,
): Promise<EmbeddedPostgres> {
  if (process.platform !== 'linux' && process.platform !== 'darwin')
    throw new UnsupportedPlatformError(process.platform)
  checkDatabaseName(options.database)
  const around = surroundings ?? (await machineSurroundings())
  const folder = await openFolder(options.folder)

  const use = await withFolderLock(folder, async () => {
    const leave = await registerUser(folder)
    try {
      const server = await joinOrStart(folder, options, around)
      await createDatabase(server.socketFolder, options.database)
      return { server, leave }
    } catch (error) {
      await leaveServer(folder, leave, null, options.log).catch((secondary: unknown) =>
        options.log('error', 'PostgreSQL could not be stopped after a failed start', { error: secondary }),
      )
      throw error
    }
  })

  let { server } = use
  const restart = () =>
    withFolderLock(folder, async () => {
      server = await joinOrStart(folder, options, around)
    })
  const endWatch = options.isWatched
    ? watchPostmaster({ isRunning: () => isAlive(server.identity), restart, log: options.log })
    : async () => {}

  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= endWatch().then(() =>
      withFolderLock(folder, () => leaveServer(folder, use.leave, server, options.log)),
    )
    return stopped
  }
  return {
    url: databaseUrl(use.server.socketFolder, options.database),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function joinOrStart(
  folder: string,
  options: EmbeddedPostgresOptions,
  around: Surroundings,
): Promise<RunningPostmaster> {
  const recorded = await readLocation(folder)
  const runAs = await chooseUser(recorded.place ?? folder)
  const { log, durable } = options
  const place = await choosePlace({ folder, recorded, runAs, sharedData: around.sharedData, log })
  const running = await awaitReady(dataFolderOf(place))
  if (running !== null) {
    log('info', 'PostgreSQL is already running', { pid: running.identity.pid, folder })
    if (durable) await raiseDurability(place, running)
    return running
  }
  const sockets = await chooseSocketFolder({
    place,
    recorded: recorded.sockets,
    runAs,
    temporary: around.temporary,
  })
  await writeLocation(folder, {
    place: place === folder ? undefined : place,
    sockets: sockets === join(place, 'run') ? undefined : sockets,
  })
  return startAnew({ folder, place, sockets, runAs, options, around })
}

async function startAnew(start: {
  folder: string
  place: string
  sockets: string
  runAs: RunAs | null
  options: EmbeddedPostgresOptions
  around: Surroundings
}): Promise<RunningPostmaster> {
  const { folder, place, sockets, runAs, options, around } = start
  const { durable, log } = options
  const data = dataFolderOf(place)
  const dataVersion = await dataVersionOf(place)
  const binaries = await findBinaries({
    surroundings: { ...around, binaryCaches: [...around.binaryCaches, join(place, 'binaries')] },
    runAs,
    dataFolder: data,
    dataVersion,
    log,
  })
  await removeUnfinished(place)
  if (dataVersion === null) {
    log('info', 'Creating a PostgreSQL database', { version: binaries.version, data })
    await initialiseCluster({ place, binaries, runAs, durable })
  }
  // Data written without flushing may still be only in memory.
  if (durable && (await wasDurable(place)) === false) await runCommand('sync', [])
  await writeSettings(place, renderSettings({ socketFolder: sockets, durable }))
  const logFile = join(folder, 'postgres.log')
  const server = await startPostmaster({
    binaries,
    data,
    settings: settingsFile(place),
    logFile,
    runAs,
    log,
  })
  log('info', 'PostgreSQL started', {
    version: binaries.version,
    pid: server.identity.pid,
    user: runAs?.name,
    data,
  })
  return server
}

/** Makes a non-durable server durable; the reverse never happens. */
async function raiseDurability(place: string, running: RunningPostmaster): Promise<void> {
  if ((await wasDurable(place)) !== false) return
  await writeSettings(place, renderSettings({ socketFolder: running.socketFolder, durable: true }))
  sendSignal(running.identity.pid, 'SIGHUP')
  await awaitDurable(running.socketFolder)
  await runCommand('sync', [])
}

/** Removes our registration and stops the server if nobody else uses it. */
async function leaveServer(
  folder: string,
  leave: () => Promise<void>,
  started: RunningPostmaster | null,
  log: EmbeddedPostgresLog,
): Promise<void> {
  await leave()
  const others = await livingUsers(folder)
  if (others.length > 0) {
    log('debug', 'PostgreSQL keeps running for other processes', { users: others.map(({ pid }) => pid) })
    return
  }
  const { place, sockets } = await readLocation(folder)
  // Another user may have restarted the server since; a deleted folder has no record of it.
  const server = (await findPostmaster(dataFolderOf(place ?? folder))) ?? started
  if (server !== null) await stopPostmaster(server.identity, log)
  if (sockets !== undefined) await rm(sockets, { recursive: true, force: true })
  log('info', 'PostgreSQL stopped', { folder })
}
