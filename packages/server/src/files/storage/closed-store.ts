import type { ContentStore } from './content-store.ts'

/** The store of a process that never handles content, such as the mail gateway. It needs no access to a folder. */
export class ClosedStore implements ContentStore {
  readonly pieceBytes = 0

  create(): Promise<never> {
    return Promise.reject(closed())
  }

  // biome-ignore lint/correctness/useYield: fails when the first chunk is requested
  async *read(): AsyncGenerator<Uint8Array> {
    throw closed()
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
