/** Worker that hashes one file without blocking the page. */

import type { HashAnswer } from './hashing.ts'
import { hashOf } from './sha256.ts'

/** The parts of a worker used here; the types of workers and pages conflict. */
interface Worker {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(answer: HashAnswer): void
}

const worker = globalThis as unknown as Worker // this file runs only in a worker

worker.addEventListener('message', ({ data }) => {
  if (!(data instanceof Blob)) return
  hashOf(data).then(
    (hash) => worker.postMessage({ hash }),
    () => worker.postMessage({ isUnreadable: true }),
  )
})
