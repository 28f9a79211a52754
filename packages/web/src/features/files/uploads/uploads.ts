import { queryClient } from '../../../platform/api/query.tsx'
import { auth } from '../../../platform/session/auth.ts'
import { forgetFiles } from '../calls.ts'
import { createFolders } from './folders.ts'
import { browserMemory } from './memory.ts'
import type { Found } from './read-drop.ts'
import { hashFile } from './transport/hashing.ts'
import { httpTransport } from './transport/http-transport.ts'
import { createPatience } from './transport/patience.ts'
import type { Place } from './upload.ts'
import { summaryOf } from './upload.ts'
import { UploadQueue } from './upload-queue.ts'

/** Debounce before lists are refetched after uploads, in milliseconds. */
const rest = 400

let current: { userId: number; queue: UploadQueue } | undefined
let rereading: ReturnType<typeof setTimeout> | undefined

/** Uploads of the signed-in user. They survive navigation and end with the session. */
export function uploadQueue(): UploadQueue {
  const userId = auth.get().user?.id ?? 0
  if (current?.userId === userId) return current.queue
  current?.queue.leave()
  const patience = createPatience()
  const parts = { transport: httpTransport(), memory: browserMemory(userId), patience, hash: hashFile }
  const queue = new UploadQueue(parts, rereadSoon)
  current = { userId, queue }
  return queue
}

function rereadSoon(): void {
  clearTimeout(rereading)
  rereading = setTimeout(() => void forgetFiles(queryClient), rest)
}

auth.subscribe(() => {
  if (!current || auth.get().user?.id === current.userId) return
  current.queue.leave()
  current = undefined
})
window.addEventListener('online', () => current?.queue.wake())
window.addEventListener('beforeunload', (event) => {
  if (current && summaryOf(current.queue.uploads.get()).active > 0) event.preventDefault()
})

/** Uploads what was found and creates empty folders. */
export async function sendFound({ files, emptyFolders }: Found, parent: string | null): Promise<void> {
  // shared by both, or the same folder would be created twice
  const folders = createFolders()
  const placeOf = (path: readonly string[]): Place => ({ parent, path, folders })
  uploadQueue().add(files.map(({ file, path }) => ({ file, place: placeOf(path) })))
  if (emptyFolders.length === 0) return
  const { signal } = new AbortController()
  for (const path of emptyFolders) await folders.find(parent, path, signal)
  rereadSoon()
}
