import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileOwner, makeFileOwner } from '../../testing/files.ts'
import { type S3Server, startS3Server } from '../../testing/servers/s3-server.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let server: S3Server
let app: TestApp
let owner: FileOwner

beforeAll(async () => {
  server = await startS3Server()
  const { endpoint, region, bucket, accessKey, secretKey } = server.settings
  app = await createTestApp({
    FILESYSTEM_DISK: 's3',
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_REGION: region,
    FILES_S3_BUCKET: bucket,
    FILES_S3_KEY: accessKey,
    FILES_S3_SECRET: secretKey,
    FILES_S3_PATH_STYLE: '1',
  })
  await app.jobs.start(1)
  owner = await makeFileOwner(app)
})

afterAll(async () => {
  await app.close()
  await server[Symbol.asyncDispose]()
})

/** Starts a server at the store's address that answers every request with this status. */
async function failingStore(status: number): Promise<AsyncDisposable> {
  const http = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end())
  })
  const { port } = new URL(server.settings.endpoint ?? '')
  await new Promise<void>((done) => http.listen(Number(port), '127.0.0.1', done))
  return {
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }
}

const nothingThere = async (): Promise<AsyncDisposable> => ({ [Symbol.asyncDispose]: async () => {} })

test.each([
  ['is gone', 'gone', nothingThere],
  ['answers with 500', '500', () => failingStore(500)],
  ['asks to slow down', '503', () => failingStore(503)],
] as const)(
  'while the object store %s, files answer 503 and the rest works; then all is well again',
  async (_state, word, inItsPlace) => {
    const file = await owner.upload(`before-${word}.txt`, 'content')
    await server.stop()
    {
      await using _other = await inItsPlace()
      const unavailable = { status: 503, headers: { 'retry-after': '5' } }
      expect(await owner.send(`during-${word}.txt`, 'content')).toMatchObject(unavailable)
      expect(await owner.call(`GET /api/v4/fs/${file}?download=1`)).toMatchObject(unavailable)
      expect(await owner.names()).toContain(`before-${word}.txt`)
      expect((await app.call('GET /api/health/readiness')).status).toBe(200)
    }
    await server.start()
    expect(await owner.content(file)).toBe('content')
    expect(await owner.names()).not.toContain(`during-${word}.txt`)
    await owner.upload(`during-${word}.txt`, 'content')
  },
  60_000,
)
