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

/** A PostgreSQL server of our own, in use until it is stopped. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** The address of the database for `pg` and libpq; it goes over a unix socket. */
  readonly url: string
  /** Ends our use. The server stops with its last user; the promise settles when it has. */
  stop(): Promise<void>
}

/** What the caller decides. */
export interface EmbeddedPostgresOptions {
  /** Holds everything the server keeps, e.g. `<DATA_DIR>/postgres`. Made when absent. */
  readonly folder: string
  /** Created when absent. */
  readonly database: string
  /**
   * Whether what is committed survives a power cut. False is for tests and several times quicker. A
   * server that several processes use is durable as soon as one of them wants it.
   */
  readonly durable: boolean
  /** Whether the server is started again when it dies alone. Absent: no. */
  readonly isWatched?: boolean
  readonly log: EmbeddedPostgresLog
}

/**
 * Starts PostgreSQL on a folder, or joins the server that already runs on it, be it another process's or
 * one left by a killed process. It listens on a unix socket only and keeps running until every process
 * that uses it has stopped or died.
 *
 * In the folder lie `data` (PostgreSQL's files), `run` (the socket), `gatehouse.conf` (settings, written
 * at every start), `postgres.log`, `users` and `lock` (who uses the server). As root the server runs as
 * the user `postgres`, `gatehouse-pg` or `nobody`. If that user may not enter the folder, `data`, `run`
 * and `gatehouse.conf` lie in `/var/lib/gatehouse/<hash of the folder>` instead, and copies of the
 * binaries, where needed, in `/var/cache/gatehouse`. A socket whose path would be too long lies in a
 * folder below the temporary one. `location.json` in the folder says where such parts are.
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
  // What was written without flushing may still be in memory only.
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

/** Makes a server durable that was started without; the other way round is never done. */
async function raiseDurability(place: string, running: RunningPostmaster): Promise<void> {
  if ((await wasDurable(place)) !== false) return
  await writeSettings(place, renderSettings({ socketFolder: running.socketFolder, durable: true }))
  sendSignal(running.identity.pid, 'SIGHUP')
  await awaitDurable(running.socketFolder)
  await runCommand('sync', [])
}

/** Takes our note back and stops the server when nobody else uses it. */
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
  // The server may have been started anew by another user since; a deleted folder knows none at all.
  const server = (await findPostmaster(dataFolderOf(place ?? folder))) ?? started
  if (server !== null) await stopPostmaster(server.identity, log)
  if (sockets !== undefined) await rm(sockets, { recursive: true, force: true })
  log('info', 'PostgreSQL stopped', { folder })
}
