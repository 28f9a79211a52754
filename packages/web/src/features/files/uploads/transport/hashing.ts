import { ApiError } from '../../../../platform/api/api-error.ts'
import { digestOf } from './digest.ts'

/** Final message of the worker. */
export type HashAnswer = { readonly hash: string } | { readonly isUnreadable: true }

/** Up to this many bytes, starting a worker takes longer than hashing. */
const fewBytes = 2 ** 20

/**
 * Returns the SHA-256 of a file in hexadecimal. Large files are hashed in a worker to keep the page
 * responsive. Throws if the file can't be read, and an `ApiError` if the worker's script could not be
 * loaded.
 */
export async function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  if (file.size > fewBytes) return hashBeside(file, signal)
  signal.throwIfAborted()
  return digestOf(file)
}

/** Hashes in a worker per file, which is terminated on completion or abort. */
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
