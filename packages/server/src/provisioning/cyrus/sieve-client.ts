import { connect } from 'node:net'
import type { ImapAddress, ImapCredentials } from './imap/imap-connection.ts'
import { ResponseReader } from './imap/response-reader.ts'

/** The server refused a script or a command. The message contains its own words. */
export class SieveError extends Error {
  override name = 'SieveError'
}

/** Milliseconds for all commands together. */
const patience = 30_000

/** Uploads scripts that sort a user's mail (ManageSieve, RFC 5804). */
export class SieveClient {
  readonly #address: ImapAddress
  readonly #credentials: ImapCredentials

  constructor(address: ImapAddress, credentials: ImapCredentials) {
    this.#address = address
    this.#credentials = credentials
  }

  /** Stores a script and makes it the active one. */
  async activate(user: string, name: string, script: string): Promise<void> {
    const { name: login, password } = this.#credentials
    const proof = Buffer.from(`${user}\0${login}\0${password}`).toString('base64')
    await this.#talk([
      `AUTHENTICATE "PLAIN" "${proof}"`,
      `PUTSCRIPT "${name}" {${Buffer.byteLength(script)}+}\r\n${script}`,
      `SETACTIVE "${name}"`,
      // without it, the server's process may crash
      'LOGOUT',
    ])
  }

  /** Sends commands one after another; each is answered by lines of which the last begins with OK or NO. */
  async #talk(commands: readonly string[]): Promise<void> {
    const socket = connect({ ...this.#address })
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), patience)
    const reader = new ResponseReader()
    const waiting = [...commands]
    try {
      for await (const chunk of socket) {
        for (const line of reader.add(chunk)) {
          if (/^(?:NO|BYE)\b/i.test(line) && waiting.length > 0) throw new SieveError(line)
          if (!/^OK\b/i.test(line)) continue
          const next = waiting.shift()
          if (next === undefined) return
          socket.write(`${next}\r\n`)
        }
      }
      if (waiting.length > 0) throw new SieveError('the server closed the connection')
    } finally {
      clearTimeout(timer)
      socket.destroy()
    }
  }
}
