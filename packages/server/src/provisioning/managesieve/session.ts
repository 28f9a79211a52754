import { Connection } from './connection.ts'
import type { Response } from './response-reader.ts'

/** The server refused a command; the message is its text. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}

/** A server and the account that may act for its users. */
export interface SieveAccess {
  readonly host: string
  readonly port: number
  readonly name: string
  readonly password: string
}

/** A script of a user. */
export interface ListedScript {
  readonly name: string
  readonly isActive: boolean
}

/**
 * Acts as a user on a ManageSieve server (RFC 5804). Always says goodbye: a connection that just ends makes timsieved of
 * Cyrus 3.6 crash. Throws CommandRefused, ConnectionLost and MalformedResponse.
 */
export async function actAs<T>(
  access: SieveAccess,
  user: string,
  work: (session: SieveSession) => Promise<T>,
): Promise<T> {
  const connection = new Connection(access.host, access.port)
  try {
    accepted(await connection.receive())
    await signIn(connection, access, user)
    return await work(new SieveSession(connection))
  } finally {
    await connection.send('LOGOUT').catch(() => undefined)
    connection.end()
  }
}

/** The account proves itself and names the user whom it acts for (RFC 4616). */
async function signIn(connection: Connection, { name, password }: SieveAccess, user: string): Promise<void> {
  const proof = Buffer.from(`${user}\0${name}\0${password}`).toString('base64')
  accepted(await connection.send(`AUTHENTICATE "PLAIN" "${proof}"`))
}

/** The scripts of one user. */
export class SieveSession {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async list(): Promise<ListedScript[]> {
    const { lines } = accepted(await this.#connection.send('LISTSCRIPTS'))
    return lines.flatMap(([name, mark]) =>
      name === undefined ? [] : [{ name, isActive: mark === 'ACTIVE' }],
    )
  }

  /** Stores a script. Throws CommandRefused if it is invalid. */
  async put(name: string, script: string): Promise<void> {
    accepted(await this.#connection.send(`PUTSCRIPT ${literal(name)} ${literal(script)}`))
  }

  async read(name: string): Promise<string> {
    const { lines } = accepted(await this.#connection.send(`GETSCRIPT ${literal(name)}`))
    return lines[0]?.[0] ?? ''
  }

  /** Makes a script active, or with an empty name none. */
  async activate(name: string): Promise<void> {
    accepted(await this.#connection.send(`SETACTIVE ${literal(name)}`))
  }

  async remove(name: string): Promise<void> {
    accepted(await this.#connection.send(`DELETESCRIPT ${literal(name)}`))
  }
}

/** A text with its length, so that it can contain anything. */
function literal(text: string): string {
  return `{${Buffer.byteLength(text)}+}\r\n${text}`
}

function accepted(response: Response): Response {
  if (response.status !== 'OK') throw new CommandRefused(response.text || response.status)
  return response
}
