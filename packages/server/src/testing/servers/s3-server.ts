import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Settings } from '../../files/storage/s3-store.ts'

/** An S3 server with one bucket. */
export interface S3Server extends AsyncDisposable {
  readonly settings: S3Settings
  /** Stops the server but keeps its data. */
  stop(): Promise<void>
  /** Restarts it on the same port. */
  start(): Promise<void>
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-s3-'))
  const run = async (port: number) => {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      configureBuckets: [{ name: 'files', configs: [] }],
    })
    return { server, port: (await server.run()).port }
  }
  let { server, port } = await run(0)
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'files',
      // the server's fixed credentials
      accessKey: 'S3RVER',
      secretKey: 'S3RVER',
      pathStyle: true,
    },
    stop: () => server.close(),
    start: async () => {
      ;({ server, port } = await run(port))
    },
    [Symbol.asyncDispose]: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
