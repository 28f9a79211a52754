import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { RepeatedWork } from '../../platform/jobs/repeated-work.ts'
import type { Log } from '../../platform/log.ts'
import { LineReader } from './line-reader.ts'
import { type LoggedStep, readLogLine } from './log-line.ts'
import { type LogPosition, readPosition } from './log-store.ts'
import type { LoggedRefusals } from './logged-refusals.ts'
import type { MailLog } from './mail-log.ts'
import { type LoggedRefusal, readRefusal } from './refusal-line.ts'

export interface LogFollowerParts {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly mailLog: Pick<MailLog, 'record'>
  /** Absent: what was refused before there was a message isn't kept. */
  readonly refusals?: Pick<LoggedRefusals, 'record'>
}

/** Milliseconds between looks at the file. */
const interval = 1000
/** Bytes read and recorded at once. */
const batchBytes = 256 * 1024
/** Bytes whose hash identifies a file; Postfix writes more in its first second. */
const beginningBytes = 256

/**
 * Follows the log of a mail server on this host and keeps what it says about messages. It remembers its place in the
 * database, so it continues after a restart, finishes a file that was rotated meanwhile, and notices when a file was
 * truncated or replaced.
 */
export class LogFollower {
  readonly #path: string
  readonly #name: string
  readonly #parts: LogFollowerParts
  #file: FileHandle | undefined
  #place: LogPosition | undefined
  #lines = new LineReader()
  readonly #repeated: RepeatedWork

  constructor(path: string, parts: LogFollowerParts, host = hostname()) {
    this.#path = path
    this.#name = `${host}:${path}`
    this.#parts = parts
    this.#repeated = new RepeatedWork({
      run: () => this.#read(),
      interval,
      onError: (error) => {
        // the place is read again from the database, which may have it or not
        void this.#close()
        parts.log.warn({ err: error, path }, 'the log of the mail server was not read')
      },
    })
  }

  /** Begins to follow the file, which doesn't have to exist yet. */
  start(): void {
    this.#repeated.start()
  }

  /** Resolves when the current batch is recorded. */
  async stop(): Promise<void> {
    await this.#repeated.stop()
    await this.#close()
  }

  /** Records everything that is in the file now. Throws if the file or the database can't be read. */
  readNow(): Promise<void> {
    return this.#repeated.runNow()
  }

  async #read(): Promise<void> {
    if (this.#file === undefined) await this.#resume()
    await this.#readToEnd()
    while (!this.#repeated.isStopped && (await this.#isReplaced())) {
      await this.#close()
      await this.#openCurrent()
      await this.#readToEnd()
    }
  }

  /** Opens the file at the place where reading ended; a file that was rotated since then has another name. */
  async #resume(): Promise<void> {
    const place = await readPosition(this.#parts.db, this.#name)
    for (const path of place === undefined ? [] : [this.#path, `${this.#path}.1`]) {
      const file = await openIfThere(path)
      if (file === undefined) continue
      if (place !== undefined && (await isSame(file, place))) {
        this.#use(file, place)
        return
      }
      await file.close()
    }
    await this.#openCurrent()
  }

  async #openCurrent(): Promise<void> {
    const file = await openIfThere(this.#path)
    if (file === undefined) return
    const { ino } = await file.stat({ bigint: true })
    this.#use(file, { inode: String(ino), position: 0, beginning: '' })
  }

  #use(file: FileHandle, place: LogPosition): void {
    this.#file = file
    this.#place = place
    this.#lines = new LineReader()
  }

  async #readToEnd(): Promise<void> {
    while (!this.#repeated.isStopped) {
      const [file, place] = [this.#file, this.#place]
      if (file === undefined || place === undefined) return
      if (!(await isSame(file, place))) this.#use(file, { ...place, position: 0, beginning: '' })
      const at = this.#place?.position ?? 0
      const { bytesRead, buffer } = await file.read(Buffer.alloc(batchBytes), 0, batchBytes, at)
      const { lines, used } = this.#lines.take(buffer.subarray(0, bytesRead))
      if (used === 0) return
      const position = at + used
      const beginning = await hashOfBeginning(file, position)
      const next = { inode: place.inode, position, beginning }
      await this.#parts.mailLog.record(this.#stepsOf(lines), this.#name, next)
      this.#place = next
      await this.#parts.refusals?.record(this.#refusalsIn(lines))
    }
  }

  #stepsOf(lines: readonly string[]): LoggedStep[] {
    const now = this.#parts.clock.now()
    return lines.flatMap((line) => readLogLine(line, now) ?? [])
  }

  #refusalsIn(lines: readonly string[]): LoggedRefusal[] {
    const now = this.#parts.clock.now()
    return lines.flatMap((line) => readRefusal(line, now) ?? [])
  }

  /** Whether the path names another file. As long as that is empty, the rotated one may still be written to. */
  async #isReplaced(): Promise<boolean> {
    const file = await openIfThere(this.#path)
    if (file === undefined) return false
    const { ino, size } = await file.stat({ bigint: true })
    await file.close()
    return size > 0n && String(ino) !== this.#place?.inode
  }

  async #close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#place = undefined
    await file?.close()
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether an open file is the one that was read, and still has what was read. */
async function isSame(file: FileHandle, { inode, position, beginning }: LogPosition): Promise<boolean> {
  const { ino, size } = await file.stat({ bigint: true })
  if (String(ino) !== inode || size < BigInt(position)) return false
  return position === 0 || (await hashOfBeginning(file, position)) === beginning
}

async function hashOfBeginning(file: FileHandle, position: number): Promise<string> {
  const length = Math.min(position, beginningBytes)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, 0)
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex')
}
