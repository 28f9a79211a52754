import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileOwner, makeFileOwner } from '../../testing/files.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

/** Starts a fake ClamAV daemon that detects one word. */
function startScanner(): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      const content = contentOf(received)
      if (content === undefined) return
      if (content.includes('too large')) return socket.end('INSTREAM size limit exceeded. ERROR\0')
      socket.end(content.includes('EVIL') ? 'stream: Test.Virus FOUND\0' : 'stream: OK\0')
    })
  })
}

/** Returns the streamed content once it is complete. */
function contentOf(received: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0'
  if (!received.toString('latin1').startsWith(command)) return undefined
  const parts: Buffer[] = []
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

let scanner: Server
let app: TestApp
let owner: FileOwner
let friend: FileOwner

beforeAll(async () => {
  scanner = startScanner()
  scanner.listen(0, '127.0.0.1')
  await once(scanner, 'listening')
  const { port } = scanner.address() as AddressInfo // of a listening server
  app = await createTestApp({ FILES_CLAMD: `127.0.0.1:${port}` })
  owner = await makeFileOwner(app)
  friend = await makeFileOwner(app)
})
afterAll(async () => {
  await app.close()
  scanner.close()
})

async function shared(content: string): Promise<string> {
  const id = await owner.upload('scanned.txt', content)
  await owner.call(`POST /api/v4/fs/${id}/permissions`, {
    body: { user: friend.user.email, permissions: 'read-only' },
  })
  return id
}

const scanOf = async (id: string) => (await owner.call(`GET /api/v4/fs/${id}`)).body.scan
const load = async (person: FileOwner, id: string) =>
  (await person.call(`GET /api/v4/fs/${id}?download=1`)).status

test('new content awaits the scan: its owner can download it immediately, others when it is clean', async () => {
  const id = await shared('harmless')
  expect([await scanOf(id), await load(owner, id), await load(friend, id)]).toEqual(['waiting', 200, 403])
  await app.jobs.drain()
  expect([await scanOf(id), await load(friend, id)]).toEqual(['clean', 200])
})

test("infected content can't be downloaded, copied or previewed by anyone, and the detection is logged", async () => {
  const id = await shared('this is EVIL')
  await app.jobs.drain()
  expect([await scanOf(id), await load(owner, id), await load(friend, id)]).toEqual(['infected', 403, 403])
  expect((await owner.call(`GET /api/v4/fs/${id}?downloadUrl=1`)).status).toBe(403)
  expect((await owner.call(`GET /api/v4/fs/${id}?previewUrl=1`)).status).toBe(403)
  expect((await owner.call(`POST /api/v4/fs/${id}/copy`, { body: {} })).status).toBe(403)
  const { body } = await owner.call(`GET /api/v4/fs/${id}/events`)
  expect(body.list[0]).toMatchObject({ event: 'file.infected', data: { found: 'Test.Virus' } })
  expect((await owner.call(`DELETE /api/v4/fs/${id}`)).status).toBe(200)
})

test('content too large for the scanner is not blocked', async () => {
  const id = await shared('too large')
  await app.jobs.drain()
  expect([await scanOf(id), await load(friend, id)]).toEqual(['off', 200])
})
