/** What is read of a message at most. Sizes are bytes. What exceeds a limit is skipped, and the message says so. */
export interface MessageLimits {
  /** Header fields of the message or of one part. */
  readonly fields: number
  /** Name and value of one header field; the rest of its value is cut. */
  readonly fieldSize: number
  /** All header fields of the message or of one part. */
  readonly headerSize: number
  /** Levels of multiparts; deeper ones are parts that aren't opened. */
  readonly depth: number
  readonly parts: number
  /** Lines that start like a boundary. */
  readonly boundaryLines: number
  /** Content of one part that is kept, in its transfer encoding. */
  readonly contentSize: number
  /** Content of all parts that is kept. */
  readonly totalContentSize: number
}

export const messageLimits: MessageLimits = {
  fields: 1000,
  fieldSize: 64 * 1024,
  headerSize: 512 * 1024,
  depth: 10,
  parts: 300,
  boundaryLines: 100_000,
  contentSize: 1536 * 1024,
  totalContentSize: 4 * 1024 * 1024,
}
