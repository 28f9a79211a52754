import type { ContentStore } from './content-store.ts'

/** The store of a process that never handles content, such as the mail gateway. It needs no access to a folder. */
export class ClosedStore implements ContentStore {
  readonly pieceBytes = 0

  create(): Promise<never> {
    return Promise.reject(closed())
  }

  /** Fails when the first chunk is requested. */
  read(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(closed()) }) }
  }

  remove(): Promise<never> {
    return Promise.reject(closed())
  }

  probe(): Promise<never> {
    return Promise.reject(closed())
  }

  close(): void {}
}

function closed(): Error {
  return new Error('this process has no access to the content of files')
}
