import type { TransactionBuilder } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/**
 * Returns a database whose transactions are part of `trx`, for actions that begin their own: together they are
 * committed or rolled back. After an error, `trx` must be rolled back, because its parts aren't separate.
 */
export function joinedDb(trx: Db): Db {
  return new Proxy(trx, {
    get(target, name) {
      if (name === 'transaction') return () => joinedBuilder(target)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function joinedBuilder(trx: Db): Pick<TransactionBuilder<Schema>, 'execute'> {
  // a transaction has the methods of a database
  type Transaction = Parameters<Parameters<TransactionBuilder<Schema>['execute']>[0]>[0]
  return { execute: (work) => work(trx as Transaction) }
}
