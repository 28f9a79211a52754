import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import { errorSentence } from '../../../domain/bulk/error-sentence.ts'
import { ApiError, isCancelled } from '../../../platform/api/api-error.ts'
import { createStore } from '../../../state/store.ts'
import { allowedName, nameFault, normalName } from '../names.ts'
import type { NewUpload, Problem, Upload } from './upload.ts'
import {
  endSession,
  letGo,
  type RunParts,
  restarted,
  type Session,
  UnreadableFile,
  UploadRun,
} from './upload-run.ts'

/** Number of concurrent uploads. */
const atOnce = 3

/** All current uploads, in the order in which they were added. */
export class UploadQueue {
  readonly uploads = createStore<readonly Upload[]>([])
  readonly #parts: RunParts
  readonly #runs = new Map<number, AbortController>()
  readonly #sessions = new Map<number, Session>()
  readonly #onDone: (upload: Upload) => void
  #lastId = 0

  /** `onDone` is called for each uploaded file. */
  constructor(parts: RunParts, onDone: (upload: Upload) => void) {
    this.#parts = parts
    this.#onDone = onDone
  }

  add(files: readonly NewUpload[]): void {
    const added = files.map(({ file, place, name = file.name, conflict }): Upload => {
      this.#lastId += 1
      const fault = place.item ? undefined : nameFault(name)
      return {
        id: this.#lastId,
        file,
        name: normalName(name),
        place,
        conflict: conflict ?? 'fail',
        sent: 0,
        ...(fault ? { state: 'failed', problem: { kind: 'name', fault } } : { state: 'waiting' }),
      }
    })
    added.forEach(({ id }, at) => {
      this.#sessions.set(id, { key: crypto.randomUUID(), uploadId: files[at]?.continues })
    })
    this.uploads.update((list) => [...list, ...added])
    this.#pump()
  }

  pause(id: number): void {
    if (!['waiting', 'sending', 'lost'].includes(this.#find(id)?.state ?? '')) return
    this.#change(id, { state: 'paused' })
    this.#stop(id)
    this.#pump()
  }

  resume(id: number): void {
    if (this.#find(id)?.state === 'paused') this.#again(id)
  }

  pauseAll(): void {
    // waiting uploads first, so that none of them starts in place of one being stopped
    const order = (one: Upload) => (one.state === 'waiting' ? 0 : 1)
    for (const { id } of [...this.uploads.get()].sort((a, b) => order(a) - order(b))) this.pause(id)
  }

  resumeAll(): void {
    for (const { id } of this.uploads.get()) this.resume(id)
  }

  /** Retries failed uploads. */
  retry(id: number): void {
    const upload = this.#find(id)
    if (upload?.state !== 'failed') return
    upload.place.folders?.forget()
    if (upload.problem?.kind === 'name') {
      this.#change(id, { name: allowedName(upload.name) })
    } else if (upload.problem?.kind === 'changed' && upload.itemId) {
      // what arrived is stored by now; the correct content becomes its next version
      this.#sessions.set(id, { key: crypto.randomUUID() })
      this.#change(id, { place: { ...upload.place, item: upload.itemId }, sent: 0 })
    }
    this.#again(id)
  }

  retryAll(): void {
    for (const { id } of this.uploads.get()) this.retry(id)
  }

  /** Applies the user's decision about names that are taken. */
  settle(ids: readonly number[], decision: Exclude<NameConflict, 'fail'> | 'skip'): void {
    for (const id of ids) {
      if (this.#find(id)?.state !== 'conflict') continue
      if (decision === 'skip') {
        this.cancel(id)
      } else {
        this.#beginAnew(id)
        this.#change(id, { conflict: decision })
        this.#again(id)
      }
    }
  }

  /** Removes a file from the list and discards what has arrived. */
  cancel(id: number): void {
    const upload = this.#find(id)
    if (!upload) return
    this.uploads.update((list) => list.filter((one) => one.id !== id))
    this.#stop(id)
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    if (session && upload.state !== 'done') this.#discard(session)
    if (session) endSession(session)
    this.#pump()
  }

  cancelAll(): void {
    for (const { id, state } of [...this.uploads.get()].reverse()) if (state !== 'done') this.cancel(id)
  }

  /** Removes finished uploads from the list. */
  clearDone(): void {
    this.uploads.update((list) => list.filter(({ state }) => state !== 'done'))
  }

  /** Stops everything at once; unfinished uploads can be resumed later. */
  leave(): void {
    for (const id of this.#runs.keys()) this.#stop(id)
    for (const session of this.#sessions.values()) endSession(session)
    this.#sessions.clear()
    this.uploads.set([])
  }

  /** The network is back: ends all waits. */
  wake(): void {
    this.#parts.patience.wake()
  }

  /** Starts over, as content sent under a name that was taken in the meantime can't become a file. */
  #beginAnew(id: number): void {
    const session = this.#sessions.get(id)
    this.#sessions.set(id, restarted(session))
    if (!session) return
    this.#discard(session)
    letGo(session)
    this.#change(id, { sent: 0 })
  }

  /** Discards what has arrived of an unfinished upload. */
  #discard({ uploadId }: Session): void {
    if (!uploadId) return
    this.#parts.memory.forget(uploadId)
    // it expires on its own if this request fails
    void this.#parts.transport.discard(uploadId).catch(() => undefined)
  }

  #again(id: number): void {
    this.#change(id, { state: 'waiting', problem: undefined })
    this.#pump()
  }

  #pump(): void {
    for (const upload of this.uploads.get()) {
      if (this.#runs.size >= atOnce) return
      if (upload.state === 'waiting') void this.#run(upload)
    }
  }

  async #run(upload: Upload): Promise<void> {
    const { id } = upload
    const session = this.#sessions.get(id)
    if (!session) return
    const abort = new AbortController()
    this.#runs.set(id, abort)
    const isOn = () => this.#runs.get(id) === abort
    const change = (news: Partial<Upload>) => isOn() && this.#change(id, news)
    change({ state: 'sending' })
    const news = {
      onSent: (sent: number) => change({ sent }),
      onState: (state: Upload['state']) => change({ state }),
      onFolder: (folder: string | null) => change({ folder }),
    }
    try {
      const run = new UploadRun(upload, session, this.#parts, news, abort.signal)
      const { itemId, isSame } = await run.finish()
      if (isSame) change({ state: 'done', itemId, sent: upload.file.size, isVerified: true })
      else change({ state: 'failed', itemId, problem: { kind: 'changed' } })
      const done = this.#find(id)
      if (isOn() && done) this.#onDone(done)
    } catch (error) {
      if (!isCancelled(error)) change(outcomeOf(error, upload))
    } finally {
      if (isOn()) this.#runs.delete(id)
      // cancelled while it was starting
      if (!this.#sessions.has(id)) endSession(session)
      this.#pump()
    }
  }

  #stop(id: number): void {
    const run = this.#runs.get(id)
    this.#runs.delete(id)
    run?.abort()
  }

  #find(id: number): Upload | undefined {
    return this.uploads.get().find((one) => one.id === id)
  }

  #change(id: number, news: Partial<Upload>): void {
    this.uploads.update((list) => list.map((one) => (one.id === id ? { ...one, ...news } : one)))
  }
}

/** Returns the state of an upload after a permanent error. */
function outcomeOf(error: unknown, { conflict }: Upload): Partial<Upload> {
  if (error instanceof ApiError && error.status === 409 && conflict === 'fail') return { state: 'conflict' }
  return { state: 'failed', problem: problemOf(error) }
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile) return { kind: 'unreadable' }
  const fields = error instanceof ApiError ? Object.keys(error.errors ?? {}) : []
  if (fields.includes('sha256')) return { kind: 'changed' }
  return { kind: 'refused', text: errorSentence(error), fields }
}
