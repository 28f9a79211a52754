import { type ImapAddress, type ImapAnswer, ImapConnection, type ImapCredentials } from './imap-connection.ts'

/**
 * Connections of the administrator, reused and reopened when they break. Jobs that run at the same time get one
 * each, up to a limit.
 */
export class ImapAdmin {
  readonly #address: ImapAddress
  readonly #credentials: ImapCredentials
  readonly #free: ImapConnection[] = []
  readonly #queue: (() => void)[] = []
  #permits: number

  constructor(options: {
    readonly address: ImapAddress
    readonly credentials: ImapCredentials
    /** Connections open at the same time. */
    readonly limit: number
  }) {
    this.#address = options.address
    this.#credentials = options.credentials
    this.#permits = options.limit
  }

  /** Runs a command. */
  run(text: string): Promise<ImapAnswer> {
    return this.use((connection) => connection.run(text))
  }

  /** Lends a connection; several commands in a row are faster on one. */
  async use<Result>(work: (connection: ImapConnection) => Promise<Result>): Promise<Result> {
    await this.#acquire()
    try {
      const connection = await this.#takeOrOpen()
      const result = await work(connection).finally(() => {
        if (connection.isOpen) this.#free.push(connection)
      })
      return result
    } finally {
      this.#release()
    }
  }

  /** Acts as a user: the server keeps subscriptions and private annotations for each user. */
  async asUser<Result>(user: string, work: (connection: ImapConnection) => Promise<Result>): Promise<Result> {
    const connection = await ImapConnection.open(this.#address, this.#credentials, user)
    try {
      return await work(connection)
    } finally {
      connection.close()
    }
  }

  close(): void {
    for (const connection of this.#free.splice(0)) connection.close()
  }

  async #takeOrOpen(): Promise<ImapConnection> {
    for (let one = this.#free.pop(); one !== undefined; one = this.#free.pop()) if (one.isOpen) return one
    return ImapConnection.open(this.#address, this.#credentials)
  }

  async #acquire(): Promise<void> {
    if (this.#permits > 0) this.#permits--
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  #release(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#permits++
    else next()
  }
}
