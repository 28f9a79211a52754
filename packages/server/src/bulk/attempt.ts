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

/** Classes of database errors unrelated to a row: connection, deadlock, resources, shutdown. */
const passing = new Set(['08', '40', '53', '55', '57', '58'])

/** Whether an error of the database has nothing to do with the row that was processed. */
export function isPassing({ code = '' }: pg.DatabaseError): boolean {
  return passing.has(code.slice(0, 2))
}

/** Maximum messages per row. */
const mostMessages = 10

/**
 * Processes one row of a batch atomically. Errors of the row become its outcome; database errors are thrown,
 * so that the work is retried. `onFailure` is called with the cause of a failed row.
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
    if (error instanceof pg.DatabaseError && isPassing(error)) throw error
    // also throws if the connection is lost
    await rowSavepoint(trx, 'rollback to savepoint')
    onFailure(error)
    return { n, state: 'failed', messages: messagesOf(error) }
  }
}

/** Converts an error to messages about a row. */
export function messagesOf(error: unknown): RowMessage[] {
  if (error instanceof ValidationError) return fieldMessages(error.fields)
  if (error instanceof HttpError) return [error.text]
  return [message('bulk.unexpected')]
}

/** The messages about a row's fields. */
export function fieldMessages(fields: Readonly<Record<string, FieldMessages>>): RowMessage[] {
  return Object.entries(fields)
    .flatMap(([field, found]) => listOf(found).map((one) => ({ ...one, field })))
    .slice(0, mostMessages)
}

function listOf(found: FieldMessages): readonly Message[] {
  if (found instanceof Map) return [...found.values()]
  return Array.isArray(found) ? found : [found as Message] // neither map nor list: a single message
}
