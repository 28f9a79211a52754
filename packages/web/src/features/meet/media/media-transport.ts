import type { MediaClientMessage, MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'

/** Connection to the media engine, carried by the meeting's signalling. */
export interface MediaTransport {
  /** Messages are delivered in order or not at all; messages that can't be sent now are dropped. */
  send(message: MediaClientMessage): void
  /** Returns the function to unsubscribe. */
  on(listener: (message: MediaServerMessage) => void): () => void
}

/** An engine message of one type. */
export type FromEngine<T extends MediaServerMessage['type']> = Extract<MediaServerMessage, { type: T }>

/** Candidates are never sent: the engine learns our address from our connectivity checks. */
export function withoutCandidates(sdp: string): string {
  return sdp.replace(/^a=(candidate|end-of-candidates).*\r\n/gm, '')
}

/** Runs tasks one after another; failures don't block later tasks. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }
}
