import pg from 'pg'
import type { Db } from '../platform/db/database.ts'
import {
  type FieldMessages,
  HttpError,
  type Message,
  message,
  ValidationError,
} from '../platform/http/errors.ts'
import type { RowMessage, RowOutcome } from './batch.ts'
import { rowSavepoint } from './row-store.ts'

/** Classes of database errors that have nothing to do with a row: connection, deadlock, resources, shutdown. */
const passing = new Set(['08', '40', '53', '55', '57', '58'])

/** Sentences about one row at most. */
const mostMessages = 10

/**
 * Does one row of a batch so that all of it happens or nothing. What is wrong with the row is its outcome; what
 * is wrong with the database is thrown, so that the work is tried again. `onFailure` hears why a row failed.
 */
export async function attempt(
  trx: Db,
  n: number,
  act: () => Promise<number | undefined>,
  onFailure: (error: unknown) => void,
): Promise<RowOutcome> {
  await rowSavepoint(trx, 'savepoint')
  try {
    const objectId = await act()
    await rowSavepoint(trx, 'release savepoint')
    return { n, state: 'done', ...(objectId !== undefined && { objectId }) }
  } catch (error) {
    if (error instanceof pg.DatabaseError && passing.has((error.code ?? '').slice(0, 2))) throw error
    // this throws as well when the connection is gone
    await rowSavepoint(trx, 'rollback to savepoint')
    onFailure(error)
    return { n, state: 'failed', messages: messagesOf(error) }
  }
}

/** What an error says about a row. */
export function messagesOf(error: unknown): RowMessage[] {
  if (error instanceof ValidationError) return fieldMessages(error.fields)
  if (error instanceof HttpError) return [error.text]
  return [message('bulk.unexpected')]
}

/** The sentences about the fields of a row. */
export function fieldMessages(fields: Readonly<Record<string, FieldMessages>>): RowMessage[] {
  return Object.entries(fields)
    .flatMap(([field, found]) => listOf(found).map((one) => ({ ...one, field })))
    .slice(0, mostMessages)
}

function listOf(found: FieldMessages): readonly Message[] {
  if (found instanceof Map) return [...found.values()]
  return Array.isArray(found) ? found : [found as Message] // neither map nor list: a single message
}
