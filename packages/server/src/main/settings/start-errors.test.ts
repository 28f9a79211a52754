import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { freePort } from '../../testing/free-port.ts'
import { describeFailure, listening, requireDatabase, StartError } from './start-errors.ts'

/** Listens like a server; returns the error message if it fails. */
async function listen(HOST: string, PORT: number): Promise<string> {
  const server = createServer()
  const begin = async () => {
    server.listen(PORT, HOST)
    await once(server, 'listening')
  }
  try {
    await listening(begin, { HOST, PORT })
    return 'listens'
  } catch (error) {
    return describeFailure(error)
  } finally {
    server.close()
  }
}

test("a port in use or another machine's address causes a sentence that names the setting", async () => {
  const port = await freePort()
  expect(await listen('127.0.0.1', port)).toBe('listens')
  await using _taken = await occupy(port)
  expect(await listen('127.0.0.1', port)).toBe(`PORT: port ${port} of 127.0.0.1 is already in use.`)
  expect(await listen('192.0.2.1', port)).toBe('HOST: 192.0.2.1 is not an address of this machine.')
})

async function occupy(port: number): Promise<AsyncDisposable> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { [Symbol.asyncDispose]: async () => void server.close() }
}

test.each([
  ['postgres://me:hunter2@127.0.0.1:1/portal', '127.0.0.1:1, database portal: connection refused.'],
  ['postgres://me:hunter2@localhost:1', 'localhost:1, database (default): connection refused.'],
  ['postgres:///portal?host=/nowhere', '/nowhere:5432, database portal: the socket does not exist.'],
])('an unreachable database at %s is named without its password', async (url, says) => {
  await using database = openDatabase(url, 1, () => {})
  const attempt = requireDatabase(database, url)
  await expect(attempt).rejects.toThrow(StartError)
  await expect(attempt).rejects.toThrow(`DATABASE_URL: no connection to PostgreSQL at ${says}`)
})

test('an unexpected failure is printed in full', () => {
  expect(describeFailure(new TypeError('odd'))).toMatch(/^TypeError: odd\n\s+at /)
})
