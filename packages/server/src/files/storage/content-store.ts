/** A piece of content that is being written. Nothing of it can be read before `commit` is over. */
export interface ObjectWriter {
  /** Takes the next bytes, in parts; resolves when more may come. The bytes must not be changed afterwards. */
  write(parts: readonly Uint8Array[]): Promise<void>
  /** Makes the object last: it is whole under its name, or this throws. */
  commit(): Promise<void>
  /** Gives the object up. Never throws. */
  discard(): Promise<void>
}

/**
 * Where pieces of content lie, each an object that is written once, read in parts and deleted. What they hold is
 * encrypted before it comes here. Ids are UUIDs of ours.
 */
export interface ContentStore {
  /** Bytes of one object at most. What arrives is cut into such pieces; each lasts as soon as it is committed. */
  readonly pieceBytes: number
  create(id: string): Promise<ObjectWriter>
  /**
   * The bytes from `start` on, `length` of them. A part is good until the next one is asked for: its memory may be used
   * again. Throws ObjectMissing.
   */
  read(id: string, start: number, length: number): AsyncIterable<Uint8Array>
  /** Deletes an object and what is left of one that was never finished; one that is not there is no error. */
  remove(id: string): Promise<void>
  /** Writes, reads and deletes a small object. Throws when any of it fails. */
  probe(): Promise<void>
  close(): void
}

/** The store does not have an object that it should have. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing'
}
