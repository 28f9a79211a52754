import { spawn } from 'node:child_process'
import { open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'

import type { PostgresBinaries } from '../binaries.ts'
import { StartError, StopError, systemErrorCode } from '../errors.ts'
import type { EmbeddedPostgresLog } from '../log.ts'
import { pollUntil } from '../polling.ts'
import { findPostmaster, type RunningPostmaster, readPostmasterFile } from './postmaster-file.ts'
import { acceptsSignals, isAlive, type ProcessIdentity } from './process-identity.ts'
import { cleanEnvironment, type RunAs } from './run-command.ts'

const LOG_LIMIT_BYTES = 10 * 1024 * 1024
const TAIL_BYTES = 4096
// Crash recovery replays everything since the last checkpoint, at most a few hundred MB.
const READY = { everyMs: 10, forMs: 120_000 }
const RETRY = { everyMs: 50, forMs: 15_000 }

/** Parameters for starting a server. */
export interface PostmasterStart {
  readonly binaries: PostgresBinaries
  readonly data: string
  readonly settings: string
  readonly logFile: string
  readonly runAs: RunAs | null
  readonly log: EmbeddedPostgresLog
}

/** Starts a server and waits until it accepts connections. */
export async function startPostmaster(start: PostmasterStart): Promise<RunningPostmaster> {
  await limitLog(start.logFile)
  let failure = 'did not start'
  const running = await pollUntil(RETRY, async () => {
    // A server launched by a process that was then killed may only appear now.
    const found = await awaitReady(start.data)
    if (found) return found
    await removeMisleadingFile(start.data)
    const logged = await sizeOf(start.logFile)
    const outcome = await launch(start)
    if (typeof outcome !== 'string') return outcome
    failure = outcome
    const said = await readFrom(start.logFile, logged)
    // Children of a killed postmaster need a moment to exit and release the shared memory.
    if (/is still in use|already exists/.test(said)) return null
    throw new StartError(failure, start.logFile, said)
  })
  if (running) return running
  throw new StartError(failure, start.logFile, await readFrom(start.logFile, 0))
}

/**
 * Waits for a starting server to accept connections, or for a stopping one to end. Null if none is running.
 */
export async function awaitReady(data: string): Promise<RunningPostmaster | null> {
  const outcome = await pollUntil(READY, async () => {
    const found = await findPostmaster(data)
    if (found === null) return 'none'
    return found.state === 'ready' ? found : null
  })
  if (outcome === null)
    throw new StartError(`was not ready within ${READY.forMs / 1000} seconds`, data, 'It is still running.')
  return outcome === 'none' ? null : outcome
}

/**
 * PostgreSQL ignores a `postmaster.pid` of an ended process, but refuses to start if the id belongs to a
 * zombie or an unrelated process. Another server on the same data would still be detected by its shared
 * memory.
 */
async function removeMisleadingFile(data: string): Promise<void> {
  const file = await readPostmasterFile(data)
  if (file !== null && acceptsSignals(file.pid)) await rm(join(data, 'postmaster.pid'), { force: true })
}

/** Makes one attempt; returns the running server, or the failure. */
async function launch(start: PostmasterStart): Promise<RunningPostmaster | string> {
  const logFile = await open(start.logFile, 'a', 0o600)
  try {
    const args = ['-D', start.data, '-c', `config_file=${start.settings}`]
    const child = spawn(join(start.binaries.bin, 'postgres'), args, {
      ...(start.runAs ? { uid: start.runAs.uid, gid: start.runAs.gid } : {}),
      cwd: '/',
      env: cleanEnvironment(),
      // In its own session, so that Ctrl-C in the terminal doesn't end it before the caller has finished.
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    })
    child.unref()
    let ended: string | null = null
    child.once('error', (error) => {
      ended = `could not be run: ${error.message}`
    })
    child.once('exit', (code, signal) => {
      ended = signal ? `was terminated by ${signal}` : `exited with code ${code}`
      start.log(code === 0 ? 'debug' : 'warn', `PostgreSQL ${ended}`, { pid: child.pid })
    })
    const outcome = await pollUntil(READY, async () => {
      if (ended !== null) return ended
      const file = await readPostmasterFile(start.data)
      if (file?.pid !== child.pid || file?.status !== 'ready') return null
      return findPostmaster(start.data)
    })
    if (outcome !== null) return outcome
    child.kill('SIGKILL')
    return `was not ready within ${READY.forMs / 1000} seconds`
  } finally {
    await logFile.close()
  }
}

/** Stops a server: rolls back open transactions and flushes everything. Escalates if that hangs. */
export async function stopPostmaster(server: ProcessIdentity, log: EmbeddedPostgresLog): Promise<void> {
  const steps = [
    { signal: 'SIGINT', forMs: 30_000 },
    { signal: 'SIGQUIT', forMs: 10_000 },
    { signal: 'SIGKILL', forMs: 5_000 },
  ] as const
  for (const { signal, forMs } of steps) {
    if (!(await isAlive(server))) return
    if (signal !== 'SIGINT') log('warn', `PostgreSQL did not stop, sending ${signal}`, { pid: server.pid })
    sendSignal(server.pid, signal)
    if (await pollUntil({ everyMs: 10, forMs }, async () => !(await isAlive(server)))) return
  }
  throw new StopError(server.pid)
}

/** Signals a process; one that has already ended is not an error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error
  }
}

/** The server keeps its log open, so it can only be truncated between two runs. */
async function limitLog(logFile: string): Promise<void> {
  if ((await sizeOf(logFile)) > LOG_LIMIT_BYTES) await truncate(logFile)
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function readFrom(path: string, offset: number): Promise<string> {
  const from = Math.max(offset, (await sizeOf(path)) - TAIL_BYTES)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
