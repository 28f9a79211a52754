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

/** Runs in a transaction right before its commit; throws to prevent it. */
export type BeforeCommit = (connection: DatabaseConnection) => Promise<unknown>

/** Matches statements that write; in our own SQL, reading ones contain none of these. */
const writes = /\b(insert\s+into|update\s+(only\s+)?["a-z]|delete\s+from|merge\s+into|add_jobs?\b)/i

/** How a driver ends a transaction on a connection. */
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
 * The transactions of a request that must run only once. The last transaction isn't committed when its work is
 * done but held open, so that the response can be stored in it. It is committed by the request's next
 * transaction or by `commitHeld`; until then the request's queries run in it, one after another.
 */
export class HeldTransaction {
  readonly #beforeCommit: BeforeCommit
  readonly #beforeStatement: BeforeCommit | undefined
  #held: Held | undefined
  /** Whether a query or the end of the transaction is using the connection. */
  #isLent = false
  #isOver = false
  #waiting: (() => void)[] = []

  /**
   * `beforeCommit` runs in each transaction committed before the response, `beforeStatement` in the transaction
   * of a writing statement outside of one.
   */
  constructor(beforeCommit: BeforeCommit, beforeStatement?: BeforeCommit) {
    this.#beforeCommit = beforeCommit
    this.#beforeStatement = beforeStatement
  }

  get beforeStatement(): BeforeCommit | undefined {
    return this.#beforeStatement
  }

  /** Runs the work of the request. Background work it leaves behind uses the database normally afterwards. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return requests.run(this, work)
  }

  /** Commits the held transaction. Returns false if there is none. */
  async commit(beforeCommit: BeforeCommit = this.#beforeCommit): Promise<boolean> {
    return this.#end((held) => commit(held, beforeCommit))
  }

  /** Rolls back the held transaction. */
  async rollback(): Promise<void> {
    await this.#end(({ connection, endings }) => endings.rollback(connection))
  }

  /** Marks the request as ended. */
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

  /** Waits for the held transaction's connection to be free and returns it; undefined if none is held. */
  async borrow(): Promise<DatabaseConnection | undefined> {
    while (this.#held !== undefined && this.#isLent) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    if (this.#held === undefined) return undefined
    this.#isLent = true
    return this.#held.connection
  }

  /** Returns a borrowed connection. Returns false if it isn't the held transaction's. */
  takeBack(connection: DatabaseConnection): boolean {
    if (this.#held?.connection !== connection) return false
    this.#isLent = false
    this.#wake()
    return true
  }

  /** Holds a completed transaction open; its connection can be borrowed. */
  async hold(connection: DatabaseConnection, endings: Endings): Promise<void> {
    // of two concurrent transactions only the last one is held
    while (this.#held !== undefined) await this.commit()
    this.#held = { connection, endings }
    this.#isLent = true
  }

  /** Commits the held transaction on a borrowed connection and releases it. */
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

/**
 * Commits what the request has done so far. Call it before calling external services and before long waits.
 */
export async function commitHeld(): Promise<void> {
  await current()?.commit()
}

/** Returns whether the request has uncommitted writes visible only to its own connection. */
export function isHolding(): boolean {
  return current()?.isHolding === true
}

function current(): HeldTransaction | undefined {
  const request = requests.getStore()
  return request?.isOver === true ? undefined : request
}

/** PostgreSQL dialect with transactions that requests can hold open. */
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

  /** Connections with an active or held transaction. */
  readonly #inTransaction = new WeakSet<DatabaseConnection>()
  readonly #checked = new WeakSet<DatabaseConnection>()

  override async acquireConnection(): Promise<DatabaseConnection> {
    return (await current()?.borrow()) ?? this.#withCheck(await super.acquireConnection())
  }

  /** Wraps a writing statement outside a transaction in one with the request's check. */
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

  // after the request has ended, a borrowed connection is returned to it first
  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (requests.getStore()?.takeBack(connection) !== true) await this.#release(connection)
  }

  #release(connection: DatabaseConnection): Promise<void> {
    this.#inTransaction.delete(connection)
    type PoolConnection = Parameters<PostgresDriver['releaseConnection']>[0]
    return super.releaseConnection(connection as PoolConnection) // created by this driver
  }
}
