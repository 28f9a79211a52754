import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the test server's maintenance database. */
    adminUrl: string
    /** A database with the current schema and catalogue, to be cloned. */
    template: string
    /** Address of the maintenance database through a pooler, if the run uses one. */
    poolerUrl: string | undefined
  }
}

/** A database cloned from the template; dropped when disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = inject('template')
  // copy files directly: the write-ahead log would take five times as long
  await administer(inject('adminUrl'), `create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseUrl(inject('adminUrl'), name),
    [Symbol.asyncDispose]: () => administer(inject('adminUrl'), `drop database ${name} with (force)`),
  }
}

/** Returns the URL of another database on the same server. */
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
