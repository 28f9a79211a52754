import type { MediaClientMessage, MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'

/** The way to the media engine: the signalling of the meeting carries it. */
export interface MediaTransport {
  /** Messages arrive in order or not at all; what cannot be sent now is lost. */
  send(message: MediaClientMessage): void
  /** Returns what ends the subscription. */
  on(listener: (message: MediaServerMessage) => void): () => void
}

/** A message of the engine of one type. */
export type FromEngine<T extends MediaServerMessage['type']> = Extract<MediaServerMessage, { type: T }>

/** Candidates are never sent: the engine learns where we are from our own checks. */
export function withoutCandidates(sdp: string): string {
  return sdp.replace(/^a=(candidate|end-of-candidates).*\r\n/gm, '')
}

/** Runs one after another; what fails keeps the next ones not back. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }
}
