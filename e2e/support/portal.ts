import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { cloneDatabase } from '../../packages/server/src/testing/database.ts'
import { demoContent } from './demo-content.ts'
import { freePort, startServer } from './server-process.ts'

/** The server that the tests of one file use: whoever imports this has one of his own, with the demo's data. */
export interface Portal {
  /** Address of the user variant. */
  readonly appUrl: string
  /** Its database. */
  readonly databaseUrl: string
  /** Folder where it writes its mails. */
  readonly outbox: string
  /** Where it asks about domains; who wants answers starts a name server there. */
  readonly dnsPort: number
  /** Of its process, for tests of what happens when a part of it dies. */
  readonly pid: number
  /** What it was started with, for one that takes its place. */
  readonly settings: Readonly<Record<string, string>>
}

/** Prints what the server logged as its own fault: a test that fails for it shows the browser's side only. */
function tellFaults(output: string): void {
  const faults = output.split('\n').filter((line) => line.startsWith('{"level":50'))
  if (faults.length > 0) process.stderr.write(`the server failed:\n${faults.join('\n')}\n`)
}

/** One that has other settings than that of the file, for tests about them. */
export async function startPortal(settings: Readonly<Record<string, string>> = {}): Promise<Portal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-e2e-'))
  const database = await cloneDatabase()
  const dnsPort = await freePort()
  const all = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SUPPORT_EMAIL: 'help@example.test',
    APP_WEBMAIL_URL: '/webmail/',
    DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    DNS_TIMEOUT: '500',
    // so that a small file has many chunks
    FILES_CHUNK_MIB: '1',
    ...demoContent(inject('demoFolder')),
    ...settings,
  }
  const server = await startServer(all)
  afterAll(async () => {
    await server.stop()
    tellFaults(server.output())
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { pid = 0 } = server.process
  return {
    appUrl: server.url,
    databaseUrl: database.url,
    outbox: join(dataDir, 'outbox'),
    dnsPort,
    pid,
    settings: { ...all, PORT: new URL(server.url).port, APP_URL: server.url },
  }
}

export const portal = await startPortal()
