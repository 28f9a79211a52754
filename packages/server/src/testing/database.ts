import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test server's maintenance database. */
    adminUrl: string
    /** A database at the present schema with the catalogue, to be cloned. */
    template: string
  }
}

/** A database of its own, cloned from the template; dropped when it is disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = inject('template')
  // files are copied as they are: through the write-ahead log it would take five times as long
  await administer(inject('adminUrl'), `create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseUrl(inject('adminUrl'), name),
    [Symbol.asyncDispose]: () => administer(inject('adminUrl'), `drop database ${name} with (force)`),
  }
}

/** The address of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

/** Runs one statement outside any transaction. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
