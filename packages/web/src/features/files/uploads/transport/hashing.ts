import { ApiError } from '../../../../platform/api/api-error.ts'
import { digestOf } from './digest.ts'

/** What the worker says at the end. */
export type HashAnswer = { readonly hash: string } | { readonly isUnreadable: true }

/** Bytes up to which it takes longer to open a worker than to hash. */
const fewBytes = 2 ** 20

/**
 * The SHA-256 of a file in hexadecimal. Much is hashed by a worker, at the speed that it has, so that the page stays
 * awake. Throws when the file cannot be read, and an `ApiError` when the worker's script did not arrive.
 */
export async function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  if (file.size > fewBytes) return hashBeside(file, signal)
  signal.throwIfAborted()
  return digestOf(file)
}

/** A worker for each file: it ends with the file, or with the wish for its hash. */
function hashBeside(file: Blob, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    const end = () => {
      worker.terminate()
      signal.removeEventListener('abort', abort)
    }
    const abort = () => {
      end()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    worker.addEventListener('error', () => {
      end()
      reject(new ApiError('', { status: 503 }))
    })
    worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => {
      end()
      if ('hash' in data) resolve(data.hash)
      else reject(new Error('reading the file failed'))
    })
    worker.postMessage(file)
  })
}
