import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../packages/server/src/testing/database.ts'
import { demoContent } from '../support/demo-content.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

/** Request timeout of the server under attack, in seconds. */
const timeout = 10
let server: ServerProcess
let database: TestDatabase
let folder = ''
const attackers = new Set<Socket>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-slow-'))
  database = await cloneDatabase()
  server = await startServer({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    ...demoContent(inject('demoFolder')),
    REQUEST_TIMEOUT: String(timeout),
    APP_WITH_MEET: '0',
  })
})

afterAll(async () => {
  for (const attacker of attackers) attacker.destroy()
  await server.stop()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const half = [
  'POST /api/auth/login HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 10000',
  '',
  '{"email":"',
].join('\r\n')

/** Opens a connection that sends half a body; resolves once that is sent. */
function attack(): Promise<void> {
  const port = Number(new URL(server.url).port)
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  attackers.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => attackers.delete(socket))
  socket.resume()
  return new Promise((resolve) => {
    socket.once('connect', () => socket.write(half, () => resolve()))
  })
}

/** Sends a request from another address over its own connection. Returns status and milliseconds. */
function call(): Promise<{ status: number | undefined; ms: number }> {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ password: 'simple123' })
    const sent = request(
      `${server.url}/api/auth/password-policy-check`,
      {
        method: 'POST',
        family: 4,
        agent: false,
        localAddress: '127.0.0.3',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        response.resume()
        response.once('end', () => resolve({ status: response.statusCode, ms: performance.now() - since }))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

test("3000 half-sent bodies from one client don't affect another client and are closed in time", async () => {
  const answers: Awaited<ReturnType<typeof call>>[] = []
  // in batches no larger than the listen backlog on a busy machine
  for (let opened = 0; opened < 3000; opened += 100) {
    await Promise.all(Array.from({ length: 100 }, attack))
    answers.push(await call())
  }
  const opened = performance.now()
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  expect(times[15]).toBeLessThan(1000)
  await expect.poll(() => attackers.size).toBeLessThanOrEqual(200)
  expect((await call()).status).toBe(200)
  await expect.poll(() => attackers.size, { timeout: 3000 * timeout }).toBe(0)
  expect((performance.now() - opened) / 1000).toBeLessThan(timeout + 5)
})
