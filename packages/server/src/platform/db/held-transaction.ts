import { AsyncLocalStorage } from 'node:async_hooks'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'

/** Runs in a transaction right before its commit; throws when it must not be committed. */
export type BeforeCommit = (connection: DatabaseConnection) => Promise<unknown>

/** Whether a statement changes something; in our own SQL one that reads names none of these. */
const writes = /\b(insert\s+into|update\s+(only\s+)?["a-z]|delete\s+from|merge\s+into|add_jobs?\b)/i

/** What a driver does with a connection whose transaction is over. */
interface Endings {
  readonly commit: (connection: DatabaseConnection) => Promise<void>
  readonly rollback: (connection: DatabaseConnection) => Promise<void>
  readonly release: (connection: DatabaseConnection) => Promise<void>
}

interface Held {
  readonly connection: DatabaseConnection
  readonly endings: Endings
}

const requests = new AsyncLocalStorage<HeldTransaction>()

/**
 * The transactions of one request that must happen once. The last one is not committed when its work is done but held, so
 * that the answer can be written in it. The next transaction of the request commits it, as does `commitHeld`; until then the
 * queries of the request run in it, one after the other.
 */
export class HeldTransaction {
  readonly #beforeCommit: BeforeCommit
  readonly #beforeStatement: BeforeCommit | undefined
  #held: Held | undefined
  /** Whether a query or the end of the transaction uses the connection at the moment. */
  #isLent = false
  #isOver = false
  #waiting: (() => void)[] = []

  /**
   * `beforeCommit` runs in each transaction that is committed before the request has its answer, `beforeStatement` in that of
   * a statement that writes outside a transaction.
   */
  constructor(beforeCommit: BeforeCommit, beforeStatement?: BeforeCommit) {
    this.#beforeCommit = beforeCommit
    this.#beforeStatement = beforeStatement
  }

  get beforeStatement(): BeforeCommit | undefined {
    return this.#beforeStatement
  }

  /** Does the work of the request. What it leaves running uses the database as everybody does once this is over. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return requests.run(this, work)
  }

  /** Commits the transaction that is held. False: there is none. */
  async commit(beforeCommit: BeforeCommit = this.#beforeCommit): Promise<boolean> {
    return this.#end((held) => commit(held, beforeCommit))
  }

  /** Takes the transaction that is held back. */
  async rollback(): Promise<void> {
    await this.#end(({ connection, endings }) => endings.rollback(connection))
  }

  /** Says that the request is over. */
  finish(): void {
    this.#isOver = true
    this.#wake()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get isHolding(): boolean {
    return this.#held !== undefined
  }

  /** The connection of the transaction that is held, as soon as nobody uses it; undefined: none is held. */
  async borrow(): Promise<DatabaseConnection | undefined> {
    while (this.#held !== undefined && this.#isLent) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    if (this.#held === undefined) return undefined
    this.#isLent = true
    return this.#held.connection
  }

  /** Takes a connection back. False: it is not that of the transaction that is held. */
  takeBack(connection: DatabaseConnection): boolean {
    if (this.#held?.connection !== connection) return false
    this.#isLent = false
    this.#wake()
    return true
  }

  /** Holds a transaction whose work is done; its connection is lent until it is taken back. */
  async hold(connection: DatabaseConnection, endings: Endings): Promise<void> {
    // of two at once only the last one is held
    while (this.#held !== undefined) await this.commit()
    this.#held = { connection, endings }
    this.#isLent = true
  }

  /** Commits the transaction that is held on a connection that the caller has borrowed, and lets go of it. */
  async commitBorrowed(connection: DatabaseConnection): Promise<void> {
    const held = this.#held
    if (held?.connection !== connection) return
    try {
      await commit(held, this.#beforeCommit)
    } finally {
      this.#letGo()
    }
  }

  async #end(how: (held: Held) => Promise<void>): Promise<boolean> {
    await this.borrow()
    const held = this.#held
    if (held === undefined) return false
    try {
      await how(held)
    } finally {
      this.#letGo()
      await held.endings.release(held.connection)
    }
    return true
  }

  #letGo(): void {
    this.#held = undefined
    this.#isLent = false
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const goOn of waiting) goOn()
  }
}

async function commit({ connection, endings }: Held, beforeCommit: BeforeCommit): Promise<void> {
  try {
    await beforeCommit(connection)
    await endings.commit(connection)
  } catch (error) {
    await endings.rollback(connection).catch(() => undefined)
    throw error
  }
}

/** Commits what the request has done so far. Call it before asking anybody outside the database, and before a long wait. */
export async function commitHeld(): Promise<void> {
  await current()?.commit()
}

/** Whether the request has written what only its own connection can see. */
export function isHolding(): boolean {
  return current()?.isHolding === true
}

function current(): HeldTransaction | undefined {
  const request = requests.getStore()
  return request?.isOver === true ? undefined : request
}

/** PostgreSQL with transactions that requests may hold. */
export class HoldingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new HoldingDriver(this.#config)
  }
}

class HoldingDriver extends PostgresDriver {
  readonly #endings: Endings = {
    commit: (connection) => super.commitTransaction(connection),
    rollback: (connection) => super.rollbackTransaction(connection),
    release: (connection) => this.#release(connection),
  }

  /** Connections on which a transaction goes on, or is held. */
  readonly #inTransaction = new WeakSet<DatabaseConnection>()
  readonly #checked = new WeakSet<DatabaseConnection>()

  override async acquireConnection(): Promise<DatabaseConnection> {
    return (await current()?.borrow()) ?? this.#withCheck(await super.acquireConnection())
  }

  /** Makes a statement that writes outside a transaction a transaction with the check of its request. */
  #withCheck(connection: DatabaseConnection): DatabaseConnection {
    if (this.#checked.has(connection)) return connection
    this.#checked.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const check = this.#inTransaction.has(connection) ? undefined : current()?.beforeStatement
      if (check === undefined || !writes.test(query.sql)) return execute(query)
      await execute(CompiledQuery.raw('begin'))
      this.#inTransaction.add(connection)
      try {
        await check(connection)
        const result = await execute<R>(query)
        await execute(CompiledQuery.raw('commit'))
        return result
      } catch (error) {
        await execute(CompiledQuery.raw('rollback')).catch(() => undefined)
        throw error
      } finally {
        this.#inTransaction.delete(connection)
      }
    }
    return connection
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await current()?.commitBorrowed(connection)
    this.#inTransaction.add(connection)
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const request = current()
    await (request === undefined
      ? super.commitTransaction(connection)
      : request.hold(connection, this.#endings))
  }

  // a request that is over takes back what it lent before
  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (requests.getStore()?.takeBack(connection) !== true) await this.#release(connection)
  }

  #release(connection: DatabaseConnection): Promise<void> {
    this.#inTransaction.delete(connection)
    type PoolConnection = Parameters<PostgresDriver['releaseConnection']>[0]
    return super.releaseConnection(connection as PoolConnection) // this driver made it
  }
}
