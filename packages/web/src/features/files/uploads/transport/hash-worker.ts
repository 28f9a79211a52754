/** The worker that hashes one file, beside the page, which stays awake meanwhile. */

import type { HashAnswer } from './hashing.ts'
import { hashOf } from './sha256.ts'

/** As much of a worker as is used here; the types of workers and of pages cannot be had together. */
interface Worker {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(answer: HashAnswer): void
}

const worker = globalThis as unknown as Worker // this file runs in a worker and nowhere else

worker.addEventListener('message', ({ data }) => {
  if (!(data instanceof Blob)) return
  hashOf(data).then(
    (hash) => worker.postMessage({ hash }),
    () => worker.postMessage({ isUnreadable: true }),
  )
})
