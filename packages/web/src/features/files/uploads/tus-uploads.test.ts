import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { MemoryServer, TestMemory } from './server.test-data.ts'
import { hashOf } from './transport/sha256.ts'
import type { UploadState } from './upload.ts'
import { UploadQueue } from './upload-queue.ts'

const megabyte = 2 ** 20

let server: MemoryServer
/** Recorded delays in milliseconds; each wait ends at once. */
let waits: number[] = []

beforeAll(async () => {
  await activateLanguage('en')
  // load the library up front, so that the tests don't wait for the disk
  await import('tus-js-client')
}, 60_000)

beforeEach(() => {
  waits = []
  server = new MemoryServer()
})

function file(name: string, size: number): File {
  return new File([randomBytes(size)], name, { lastModified: 1_700_000_000_000 })
}

async function sendUntil(state: UploadState, sent: File): Promise<void> {
  const patience = { wait: async (milliseconds: number) => void waits.push(milliseconds), wake: () => {} }
  const parts = { transport: server, memory: new TestMemory(), patience, hash: hashOf }
  const queue = new UploadQueue(parts, () => {})
  queue.add([{ file: sent, place: { parent: null, path: [] } }])
  const check = () => expect(queue.uploads.get().map((upload) => upload.state)).toEqual([state])
  await vi.waitFor(check, { timeout: 20_000, interval: 5 })
}

async function expectSame(sent: File): Promise<void> {
  const found = [...server.files.values()].find(({ name }) => name === sent.name)
  expect(found?.bytes.equals(Buffer.from(await sent.arrayBuffer()))).toBe(true)
}

test('turns complete content into a file if the server stopped before creating it', async () => {
  const sent = file('unmade.bin', 1.5 * megabyte)
  server.endsBeforeFile = true
  await sendUntil('done', sent)
  expect(server.files.size).toBe(1)
  await expectSame(sent)
})

test('asks about the name if it was taken before complete content became a file', async () => {
  server.endsBeforeFile = true
  server.fault = (call) => {
    const other = { name: 'late.bin', parent: null, bytes: Buffer.alloc(0) }
    if (call === 'offset' && server.calls.includes('chunk')) server.files.set('other', other)
  }
  await sendUntil('conflict', file('late.bin', 1.5 * megabyte))
  expect(waits).toEqual([])
})

test("queries the offset if it differs from the server's", async () => {
  const sent = file('elsewhere.bin', 2.5 * megabyte)
  server.fault = (call) => {
    const [begun] = server.begun.values()
    const isSecond = call === 'chunk' && server.calls.filter((one) => one === 'chunk').length === 2
    // what another sender has stored in the meantime
    if (begun && isSecond) begun.bytes = Buffer.concat([begun.bytes, others])
  }
  const others = Buffer.from(await sent.slice(megabyte, megabyte + 1000).arrayBuffer())
  await sendUntil('done', sent)
  expect(waits).toEqual([1000])
  await expectSame(sent)
})

test('renews an expired session by querying the offset', async () => {
  const sent = file('expired.bin', 2.5 * megabyte)
  let isExpired = false
  server.fault = (call) => {
    if (call === 'progress') isExpired = false
    if (call === 'chunk' && server.calls.filter((one) => one === 'chunk').length === 2) isExpired = true
    if (isExpired) throw new ApiError('', { status: 401 })
  }
  await sendUntil('done', sent)
  expect(waits).toEqual([1000])
  await expectSame(sent)
})
