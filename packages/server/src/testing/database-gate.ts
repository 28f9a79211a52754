import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The socket file name that libpq and `pg` look for, on the port of our URLs. */
const socketName = '.s.PGSQL.5432'

/** A proxy to the database that can be closed, to simulate an outage of its server or the network. */
export interface DatabaseGate extends AsyncDisposable {
  /** URL of the database through the gate. */
  readonly url: string
  /** Ends all connections and rejects new ones. */
  shut(): Promise<void>
  open(): Promise<void>
  /** Statements that have passed so far. */
  readonly statements: number
  /**
   * Closes itself at the n-th statement from now, as if the sending process were killed: before the database
   * receives it, or when it has run but the result wasn't read yet.
   */
  shutAt(statement: number, moment: 'before' | 'after'): void
}

/** Opens a gate in front of the database at `url`. */
export async function databaseGate(url: string): Promise<DatabaseGate> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-gate-'))
  const target = targetOf(url)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let statements = 0
  let end: { readonly at: number; readonly moment: 'before' | 'after' } | undefined
  const open = async () => {
    end = undefined
    server = createServer((near) => {
      const far = openSocket(target)
      const count = statementCounter()
      near.on('data', (chunk) => {
        statements += count(chunk)
        if (end === undefined || statements < end.at) return
        const { moment } = end
        end = undefined
        // the chunk is forwarded after this, unless the gate is closed
        if (moment === 'before') return void shut()
        far.unpipe(near)
        far.once('data', () => void shut()).resume()
      })
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => sockets.delete(one))
        one.pipe(other)
      }
    })
    const listening = server
    await new Promise<void>((resolve) => listening.listen(join(folder, socketName), resolve))
  }
  const shut = async () => {
    const closing = server
    server = undefined
    if (closing === undefined) return
    const closed = new Promise((resolve) => closing.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await open()
  return {
    url: throughFolder(url, folder),
    shut,
    open,
    get statements() {
      return statements
    },
    shutAt(statement, moment) {
      end = { at: statements + statement, moment }
    },
    async [Symbol.asyncDispose]() {
      await shut()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Counts a client's statements, chunk by chunk: simple queries and executions of prepared ones (PostgreSQL,
 * "Message Formats"). The first message of a connection has no type.
 */
function statementCounter(): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0)
  let isFirst = true
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    let found = 0
    for (;;) {
      const header = isFirst ? 0 : 1
      if (rest.length < header + 4) return found
      const size = header + rest.readInt32BE(header)
      if (rest.length < size) return found
      if (!isFirst && (rest[0] === 0x51 || rest[0] === 0x45)) found += 1 // 'Q' and 'E'
      isFirst = false
      rest = rest.subarray(size)
    }
  }
}

/** Returns where the database listens: a socket path, or host and port. */
function targetOf(url: string): { path: string } | { host: string; port: number } {
  const socketFolder = /[?&]host=([^&]+)/.exec(url)?.[1]
  const port = Number(/[?&]port=(\d+)/.exec(url)?.[1] ?? 5432)
  if (socketFolder !== undefined) return { path: join(decodeURIComponent(socketFolder), `.s.PGSQL.${port}`) }
  const address = new URL(url)
  return { host: address.hostname, port: Number(address.port || 5432) }
}

/** Returns the URL with the gate's socket instead of its host and port. */
function throughFolder(url: string, folder: string): string {
  const [, user = '', name = ''] = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?[^/]*\/([^?]*)/.exec(url) ?? []
  return `postgres://${user}@/${name}?host=${folder}&port=5432`
}
