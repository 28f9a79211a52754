import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileDetail } from '@gatehouse/contract/files/file-items'
import { fileUploadRoutes, startedUpload } from '@gatehouse/contract/files/file-uploads'
import { sessionResponse } from '@gatehouse/contract/sessions/sessions'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../../packages/server/src/testing/data-folder.ts'
import { ownDatabase, type ServerProcess, startServer } from '../support/server-process.ts'

const mebibyte = 1024 * 1024
const size = 1024 * mebibyte
const kills = 10
/**
 * MiB that the server's memory may grow by during the upload and download. Node 26 lets more buffers pile up before it
 * collects them than Node 20 did (100 MiB, not 50), but no more for larger files.
 */
const flat = 150

let dataDir = ''
let database: Awaited<ReturnType<typeof ownDatabase>>
let server: ServerProcess | undefined

beforeEach(async () => {
  dataDir = await makeDataFolder('files')
  database = await ownDatabase()
})

afterEach(async () => {
  await server?.stop()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  server = await startServer({ DATA_DIR: dataDir, DEMO: '1', FILES_CHUNK_MIB: '1024', ...database.settings })
  return server
}

/** One MiB of random bytes, varied per chunk by its index so that no two parts of the file are equal. */
const noise = randomBytes(mebibyte)

function* contentFrom(from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const block = Math.floor(at / mebibyte)
    const bytes = Buffer.from(noise)
    bytes.writeUInt32BE(block, 0)
    const start = at - block * mebibyte
    const end = Math.min(mebibyte, to - block * mebibyte)
    yield bytes.subarray(start, end)
    at = block * mebibyte + end
  }
}

function checksum(): string {
  const hash = createHash('sha256')
  for (const block of contentFrom(0, size)) hash.update(block)
  return hash.digest('hex')
}

/** A contract schema. */
interface Schema<T> {
  parse(value: unknown): T
}

async function call<T>(route: string, expected: Schema<T>, token?: string, body?: unknown): Promise<T> {
  const [method = '', path = ''] = route.split(' ')
  const answer = await fetch(`${server?.url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return expected.parse(await answer.json())
}

const progressOf = (uploadId: string) =>
  call(`GET /api/v4/fs/uploads/${uploadId}`, fileUploadRoutes['GET /api/v4/fs/uploads/{uploadId}'].ok)

/**
 * Sends a range of the file as one chunk and returns the status. Kills the server halfway if `isKilled` is
 * set.
 */
async function sendChunk(uploadId: string, from: number, to: number, isKilled: boolean): Promise<number> {
  const { port } = new URL(server?.url ?? '')
  const client = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/v4/fs/uploads/${uploadId}?from=${from}`,
    headers: { host: `localhost:${port}`, 'content-length': String(to - from) },
  })
  const answered = once(client, 'response')
  answered.catch(() => undefined)
  async function* part() {
    let sent = from
    for (const block of contentFrom(from, to)) {
      yield block
      sent += block.length
      if (isKilled && sent - from >= (to - from) / 2) {
        await server?.kill()
        throw new Error('killed')
      }
    }
  }
  await pipeline(Readable.from(part(), { objectMode: false }), client)
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

/**
 * Watches the resident memory of the current server process. Returns the maximum growth since it was ready, in
 * MiB.
 */
function watchMemory() {
  const pid = server?.process.pid
  const resident = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? '0') / 1024
  }
  const first = resident()
  let highest = 0
  const timer = setInterval(() => {
    void resident().then((now) => {
      highest = Math.max(highest, now)
    })
  }, 50)
  return async () => {
    clearInterval(timer)
    return highest - (await first)
  }
}

describe('a large upload', () => {
  test('is byte-identical after ten server crashes on the way, with flat memory', async () => {
    const expected = checksum()
    await start()
    const credentials = { email: 'owner@acme.test', password: 'simple123' }
    const { access_token: token } = await call(
      'POST /api/auth/login',
      sessionResponse,
      undefined,
      credentials,
    )
    const { uploadId } = await call('POST /api/v4/fs', startedUpload, token, {
      name: 'large.bin',
      media: 'resumable',
      size,
      sha256: expected,
    })
    const chunk = Math.ceil(size / (kills * 2))
    let killed = 0
    let grown = 0
    let stop = watchMemory()
    for (let from = 0; from < size; ) {
      const to = Math.min(size, from + chunk)
      const isKilled = killed < kills && from >= killed * 2 * chunk
      try {
        expect(await sendChunk(uploadId, from, to, isKilled)).toBe(200)
        from = to
      } catch {
        // after a crash, ask the new server for the offset
        killed++
        grown = Math.max(grown, await stop())
        await start()
        stop = watchMemory()
        from = (await progressOf(uploadId)).uploaded
      }
    }
    expect(killed).toBe(kills)
    const complete = await progressOf(uploadId)
    if (!complete.isComplete) throw new Error('the upload is complete')
    const item = await call(`GET /api/v4/fs/${complete.id}`, fileDetail, token)
    expect(item).toMatchObject({ name: 'large.bin', size, sha256: expected })
    const downloaded = await fetch(`${server?.url}/api/v4/fs/${complete.id}?download=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const hash = createHash('sha256')
    for await (const bytes of downloaded.body ?? []) hash.update(bytes)
    expect(hash.digest('hex')).toBe(expected)
    grown = Math.max(grown, await stop())
    expect(grown).toBeLessThan(flat)
  }, 1_800_000)
})
