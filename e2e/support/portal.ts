import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { cloneDatabase } from '../../packages/server/src/testing/database.ts'
import { demoContent } from './demo-content.ts'
import { freePort, startServer } from './server-process.ts'

/** The server for the tests of one file: every importing file gets its own, with demo data. */
export interface Portal {
  /** URL of the user variant. */
  readonly appUrl: string
  /** URL of its database. */
  readonly databaseUrl: string
  /** Folder that it writes mail to. */
  readonly outbox: string
  /** Port that it sends DNS queries to; tests start a name server there if they need responses. */
  readonly dnsPort: number
  /** PID, for tests that kill a part of it. */
  readonly pid: number
  /** Its settings, for a replacement server. */
  readonly settings: Readonly<Record<string, string>>
}

/** Prints the server's own errors, because a failing test shows only the browser's side. */
function tellFaults(output: string): void {
  const faults = output.split('\n').filter((line) => line.startsWith('{"level":50'))
  if (faults.length > 0) process.stderr.write(`the server failed:\n${faults.join('\n')}\n`)
}

/** A media engine takes as long to start as the server, and most files don't join meetings. */
const withoutEngine = { MEET_ENGINES: '0', MEET_ENGINE_TOKEN: 'a token that no engine registers with' }

function joinsMeetings(): boolean {
  return /\/(?:meetings|accessibility|suite)\//.test(expect.getState().testPath ?? '')
}

/** Starts a portal with other settings than the file's. */
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
    // so that even a small file has many chunks
    FILES_CHUNK_MIB: '1',
    ...(joinsMeetings() ? {} : withoutEngine),
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
