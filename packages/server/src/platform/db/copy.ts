import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Connection, PoolClient, Submittable } from 'pg'

/** Bytes collected before they are passed on, because the server sends each row separately. */
const blockBytes = 64 * 1024

/** Methods of the driver's connection that its types lack. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/**
 * Streams the output of a `copy … to stdout`. Reads no faster than the consumer. After an error, close the
 * connection.
 */
export function copyOut(client: PoolClient, statement: string): Readable {
  const output = new CopyOut(statement)
  client.query(output)
  return output.stream
}

/** Runs a `copy … from stdin` with these bytes. */
export async function copyIn(
  client: PoolClient,
  statement: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const input = new CopyIn(statement, source)
  client.query(input)
  await input.done
}

/** A query object as the driver expects it (`pg/lib/client.js`): it calls the handlers by name. */
class CopyOut implements Submittable {
  readonly stream: Readable
  readonly #statement: string
  #connection: Connection | undefined
  #block = Buffer.allocUnsafe(blockBytes)
  #used = 0

  constructor(statement: string) {
    this.#statement = statement
    this.stream = new Readable({ read: () => this.#connection?.stream.resume() })
  }

  submit(connection: Connection): void {
    this.#connection = connection
    connection.query(this.#statement)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    // the driver reuses the memory of the chunk
    if (this.#used + chunk.length > this.#block.length) this.#flush(connection, chunk.length)
    this.#used += chunk.copy(this.#block, this.#used)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(connection: Connection): void {
    this.#flush(connection, 0)
    connection.stream.resume()
    this.stream.push(null)
  }

  handleError(error: Error): void {
    this.#connection?.stream.resume()
    this.stream.destroy(error)
  }

  #flush(connection: Connection, next: number): void {
    const block = this.#block.subarray(0, this.#used)
    this.#block = Buffer.allocUnsafe(Math.max(blockBytes, next))
    this.#used = 0
    if (block.length > 0 && !this.stream.push(block)) connection.stream.pause()
  }
}

class CopyIn implements Submittable {
  readonly done: Promise<void>
  readonly #statement: string
  readonly #source: AsyncIterable<Uint8Array>
  #settle: (failure?: unknown) => void = () => {}
  #failure: unknown

  constructor(statement: string, source: AsyncIterable<Uint8Array>) {
    this.#statement = statement
    this.#source = source
    this.done = new Promise((resolve, reject) => {
      this.#settle = (failure) => (failure === undefined ? resolve() : reject(failure))
    })
  }

  submit(connection: Connection): void {
    connection.query(this.#statement)
  }

  handleCopyInResponse(connection: Connection): void {
    // the driver's connection has these methods, its types don't
    void this.#send(connection as CopyConnection)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#settle(this.#failure)
  }

  handleError(error: Error): void {
    this.#failure ??= error
    // a broken connection never becomes ready
    this.#settle(this.#failure)
  }

  async #send(connection: CopyConnection): Promise<void> {
    // keeps a failure from counting as unhandled; `done` reports it
    const failed = this.done.catch(() => undefined)
    try {
      for await (const chunk of this.#source) {
        if (this.#failure !== undefined) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain)
          await Promise.race([once(connection.stream, 'drain'), failed])
      }
      connection.endCopyFrom()
    } catch (error) {
      this.#failure ??= error
      connection.sendCopyFail('the source failed')
    }
  }
}
