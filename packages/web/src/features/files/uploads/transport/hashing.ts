import { hashOf } from './sha256.ts'

/** What the worker says at the end. */
export type HashAnswer = { readonly hash: string } | { readonly isUnreadable: true }

/** Bytes up to which it takes longer to open a worker than to hash. */
const fewBytes = 2 ** 20

/** There is no worker: the browser has none, or its script did not arrive. */
class NoWorker extends Error {
  override readonly name = 'NoWorker'
}

/**
 * The SHA-256 of a file in hexadecimal. Much is hashed by a worker, at the speed that it has, so that the page stays
 * awake; without one the page does it itself. Throws when the file cannot be read.
 */
export async function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  if (file.size <= fewBytes) return hashOf(file, signal)
  try {
    return await hashBeside(file, signal)
  } catch (error) {
    if (error instanceof NoWorker) return hashOf(file, signal)
    throw error
  }
}

/** A worker for each file: it ends with the file, or with the wish for its hash. */
function hashBeside(file: Blob, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = openWorker()
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
      reject(new NoWorker())
    })
    worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => {
      end()
      if ('hash' in data) resolve(data.hash)
      else reject(new Error('the file cannot be read'))
    })
    worker.postMessage(file)
  })
}

function openWorker(): Worker {
  try {
    return new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  } catch (error) {
    throw new NoWorker('', { cause: error })
  }
}
