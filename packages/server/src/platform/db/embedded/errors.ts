/** Any error that prevents the embedded PostgreSQL from running; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError'
}

/** The operating system lacks unix sockets or process signals. */
export class UnsupportedPlatformError extends EmbeddedPostgresError {
  override readonly name = 'UnsupportedPlatformError'
  constructor(platform: string) {
    super(
      `The embedded PostgreSQL runs on Linux and macOS, not on ${platform}. Set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** A location of binaries, and why they were rejected. */
export interface RejectedBinaries {
  readonly folder: string
  readonly reason: string
}

/** No PostgreSQL binaries of a supported version run on this machine. */
export class BinariesMissingError extends EmbeddedPostgresError {
  override readonly name = 'BinariesMissingError'
  constructor(
    oldestSupported: number,
    readonly rejected: readonly RejectedBinaries[],
  ) {
    const looked = rejected.map(({ folder, reason }) => `  ${folder}: ${reason}`).join('\n')
    super(
      `No usable PostgreSQL ${oldestSupported} or newer found. Run "npm ci" without --omit=optional, install PostgreSQL ${oldestSupported} or newer, or set DATABASE_URL.\n${looked || '  nothing found in node_modules, the usual folders or PATH'}`,
    )
  }
}

/** The data folder belongs to a different major version than all available binaries. */
export class DataVersionMismatchError extends EmbeddedPostgresError {
  override readonly name = 'DataVersionMismatchError'
  constructor(dataFolder: string, dataVersion: string, binaryVersions: readonly string[]) {
    super(
      `The data in ${dataFolder} was created by PostgreSQL ${dataVersion}, but the installed version is ${binaryVersions.join(' and ')}. Install PostgreSQL ${dataVersion}, or migrate the data with pg_upgrade or a dump.`,
    )
  }
}

/** The data folder belongs to a different user. */
export class DataOwnerError extends EmbeddedPostgresError {
  override readonly name = 'DataOwnerError'
  constructor(dataFolder: string, ownerUid: number, ownUid: number) {
    super(
      `${dataFolder} belongs to user id ${ownerUid}, but this process runs as ${ownUid}. Run as that user or as root, or change the owner of the folder (chown -R ${ownUid}).`,
    )
  }
}

/** PostgreSQL refuses to run as root, and no other user could be found or created. */
export class NoSystemUserError extends EmbeddedPostgresError {
  override readonly name = 'NoSystemUserError'
  constructor() {
    super(
      'PostgreSQL refuses to run as root, and there is no user "postgres", "gatehouse-pg" or "nobody" to run it as. Create one (useradd --system gatehouse-pg), run as an ordinary user, or set DATABASE_URL.',
    )
  }
}

/** The recorded data folder can't be used: missing, foreign or inaccessible. */
export class PlacementError extends EmbeddedPostgresError {
  override readonly name = 'PlacementError'
}

/** Another process held the folder's lock for too long. */
export class FolderLockedError extends EmbeddedPostgresError {
  override readonly name = 'FolderLockedError'
  constructor(folder: string, pid: number, seconds: number) {
    super(
      `Process ${pid} has been starting or stopping the database in ${folder} for over ${seconds} seconds. Wait for it or stop it, then start again.`,
    )
  }
}

/** initdb failed. */
export class InitialiseError extends EmbeddedPostgresError {
  override readonly name = 'InitialiseError'
  constructor(initdb: string, output: string) {
    super(`${initdb} could not create the database files:\n${output.trim()}`)
  }
}

/** The server ended, or wasn't ready in time. */
export class StartError extends EmbeddedPostgresError {
  override readonly name = 'StartError'
  constructor(what: string, logFile: string, tail: string) {
    super(`PostgreSQL ${what}. The end of its log, ${logFile}:\n${tail.trim()}`)
  }
}

/** The server couldn't be stopped by any means. */
export class StopError extends EmbeddedPostgresError {
  override readonly name = 'StopError'
  constructor(pid: number) {
    super(`PostgreSQL (process ${pid}) could not be stopped. Stop it manually before you start again.`)
  }
}

/** Returns the error code of a failed system call, or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
