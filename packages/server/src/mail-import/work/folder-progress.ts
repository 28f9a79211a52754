import type { SkipReason } from '@gatehouse/contract/mail/import-terms'
import type { Db } from '../../platform/db/database.ts'
import {
  insertSkips,
  noteProgress,
  type StoredFolder,
  type StoredSkip,
  updateFolder,
} from '../import-store.ts'

/** Messages after which the position is stored, or milliseconds. What was copied since is recognized in the mailbox. */
const storedEvery = { messages: 25, milliseconds: 1000 }

/** Measures the speed of a run. */
export class RunMeter {
  readonly #start = performance.now()
  #bytes = 0

  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** Milliseconds since the run began. */
  get elapsed(): number {
    return performance.now() - this.#start
  }

  get bytesPerSecond(): number {
    return Math.round((this.#bytes * 1000) / Math.max(this.elapsed, 1))
  }
}

/** How far a folder is, stored from time to time. */
export class FolderProgress {
  readonly #db: Db
  readonly #meter: RunMeter
  #folder: StoredFolder
  #skips: StoredSkip[] = []
  #unstored = 0
  #storedAt = performance.now()

  constructor(db: Db, folder: StoredFolder, meter: RunMeter) {
    this.#db = db
    this.#folder = folder
    this.#meter = meter
  }

  get folder(): StoredFolder {
    return this.#folder
  }

  change(change: Partial<StoredFolder>): void {
    this.#folder = { ...this.#folder, ...change }
  }

  /** The message is in the mailbox now, or is gone from the old server. */
  settle(uid: number, copied?: { readonly bytes: number; readonly targetUid: number | null }): void {
    const { copied: count, copiedBytes, targetUid } = this.#folder
    this.change({ lastUid: uid })
    this.#unstored++
    if (copied === undefined) return
    this.#meter.add(copied.bytes)
    const bytes = Number(copiedBytes) + copied.bytes
    this.change({ copied: count + 1, copiedBytes: bytes, targetUid: copied.targetUid ?? targetUid })
  }

  /** The message was in the mailbox already. */
  recognize(uid: number): void {
    this.change({ existing: this.#folder.existing + 1 })
    this.settle(uid)
  }

  /** The message isn't imported. UID 0 stands for the folder. */
  skip(uid: number, reason: SkipReason, facts: { readonly bytes?: number; readonly answer?: string }): void {
    const { importId, n, skipped } = this.#folder
    this.#skips.push({ importId, n, uid, reason, bytes: facts.bytes ?? null, answer: facts.answer ?? null })
    if (uid === 0) {
      this.#unstored++
      return
    }
    this.change({ skipped: skipped + 1 })
    this.settle(uid)
  }

  /** Stores the position now and then; false if the import was cancelled. */
  async storeSometimes(): Promise<boolean> {
    const isDue =
      this.#unstored >= storedEvery.messages || performance.now() - this.#storedAt > storedEvery.milliseconds
    return isDue ? this.store() : true
  }

  /** Stores the position; false if the import was cancelled. */
  async store(): Promise<boolean> {
    const { importId, n, ...values } = this.#folder
    const isActive = await this.#db.transaction().execute(async (trx) => {
      await updateFolder(trx, { importId, n }, values)
      await insertSkips(trx, this.#skips)
      // an attempt that settled nothing doesn't end a series of failures
      return this.#unstored > 0 ? noteProgress(trx, importId, this.#meter.bytesPerSecond) : true
    })
    this.#skips = []
    this.#unstored = 0
    this.#storedAt = performance.now()
    return isActive
  }
}
