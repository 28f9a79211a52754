import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { accepts, waitUntil } from '@gatehouse/mail/programs/connections'
import { missingPackages } from '@gatehouse/mail/suite/packages'
import pg from 'pg'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { administer, databaseUrl } from '../../../packages/server/src/testing/database.ts'
import { DnsServer } from '../../../packages/server/src/testing/servers/dns-server.ts'
import { freePort } from '../../support/server-process.ts'
import { ImapClient } from './imap-client.ts'
import type { SuiteFacts } from './suite-facts.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../../deploy/mail/dist/suite.js')

/** Starts one suite for all tests. If it can't run here, says why, and the tests are skipped. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const obstacle = obstacleHere()
  if (obstacle !== undefined) {
    process.stdout.write(`The tests of the mail suite are skipped: ${obstacle}\n`)
    project.provide('suite', null)
    return async () => {}
  }
  const endings: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const ending of endings.reverse()) await ending()
  }
  try {
    project.provide('suite', await startSuite(project.getProvidedContext(), endings))
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** Starts everything, and adds what ends it again to `endings`. */
async function startSuite(
  { adminUrl }: Pick<ProvidedContext, 'adminUrl'>,
  endings: (() => Promise<unknown>)[],
): Promise<SuiteFacts> {
  // not below the folder for temporary files, which other users can't enter
  const folder = await mkdtemp('/var/tmp/gatehouse-suite-')
  endings.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const dns = await nameServer()
  endings.push(() => dns[Symbol.asyncDispose]())
  const database = `suite_${randomBytes(6).toString('hex')}`
  await administer(adminUrl, `create database ${database}`)
  endings.push(() => administer(adminUrl, `drop database ${database} with (force)`))
  const url = databaseUrl(adminUrl, database)
  const environment = await environmentOf(folder, url, dns)
  const env = { ...process.env, ...environment }
  endings.push(() => run(process.execPath, [program, 'reset'], { env }))
  try {
    await run(process.execPath, [program, 'start'], { env })
  } catch (error) {
    process.stderr.write((await run(process.execPath, [program, 'logs'], { env })).stdout)
    throw error
  }
  const facts = await factsOf(folder, url, environment)
  await mailboxesExist(facts)
  await activateKeys(url)
  return facts
}

function obstacleHere(): string | undefined {
  if (process.getuid?.() !== 0) return 'they need root, because its programs run as several users'
  const missing = missingPackages()
  return missing.length > 0 ? `packages are missing: ${missing.join(', ')}` : undefined
}

/** Senders of the outside: SPF proves the first one, says nothing about the second one, and denies the third one. */
async function nameServer(): Promise<DnsServer> {
  const dns = await DnsServer.start()
  dns.zone('supplier.test')
  dns.txt('supplier.test', 'v=spf1 ip4:127.0.0.0/8 -all')
  dns.zone('unproved.test')
  dns.zone('bank.test')
  dns.txt('bank.test', 'v=spf1 ip4:192.0.2.1 -all')
  return dns
}

async function environmentOf(folder: string, url: string, dns: DnsServer): Promise<Record<string, string>> {
  const port = String(await freePort())
  return {
    DATA_DIR: folder,
    DATABASE_URL: url,
    PORT: port,
    APP_URL: `http://localhost:${port}`,
    SUITE_PORT: String(await freePorts()),
    SUITE_DISPOSABLE: '1',
    DNS_SERVERS: dns.address,
    DNS_TIMEOUT: '500',
    APP_WITH_MEET: '0',
    LOG_LEVEL: 'warn',
  }
}

/** Returns the first of a thousand ports of which the suite needs some. The kernel doesn't choose them for clients. */
async function freePorts(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = 10_000 + Math.floor(Math.random() * 22) * 1000
    const ports = [25, 26, 80, 143, 443, 543, 587, 993]
    const used = await Promise.all(ports.map((port) => accepts(`127.0.0.1:${first + port}`)))
    if (!used.some(Boolean)) return first
  }
  throw new Error('no free ports for the suite')
}

async function factsOf(
  folder: string,
  url: string,
  environment: Record<string, string>,
): Promise<SuiteFacts> {
  const first = Number(environment.SUITE_PORT)
  const secrets: { storeAdmin: string } = JSON.parse(
    await readFile(join(folder, 'suite/secrets.json'), 'utf8'),
  )
  return {
    folder: join(folder, 'suite'),
    databaseUrl: url,
    environment,
    portalUrl: environment.APP_URL ?? '',
    webmailUrl: `http://localhost:${first + 80}/webmail/`,
    storeAdmin: secrets.storeAdmin,
    ports: {
      imap: first + 143,
      imaps: first + 993,
      submission: first + 587,
      submissions: first + 465,
      sieve: first + 190,
      https: first + 443,
      incoming: first + 25,
      storeImap: first + 543,
    },
  }
}

/** Waits until the portal has created the mailboxes of the demo's users. */
async function mailboxesExist({ ports, storeAdmin }: SuiteFacts): Promise<void> {
  await using admin = await ImapClient.connect({ port: ports.storeImap })
  await admin.login('cyrus-admin', storeAdmin)
  const exists = async (name: string) =>
    (await admin.send(`LIST "" user/${name}/Sent@acme.test`)).includes('LIST')
  const all = async () => (await exists('owner')) && (await exists('jane')) && (await exists('ned'))
  await waitUntil(all, 'the mailboxes of the demo were not created')
}

/**
 * Lets the keys of domains sign, as if their records had been visible for a day. Before the first message, because
 * the signer remembers for a minute which domains have none.
 */
async function activateKeys(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select graphile_worker.add_job('dkim:round', '{}')`)
    const statement = `update dkim_keys k set state = 'active' from domains d
      where d.id = k.domain_id and d.namespace = 'acme.test'`
    const count = async () => (await client.query(statement)).rowCount ?? 0
    await waitUntil(async () => (await count()) === 2, 'the DKIM keys of the demo were not created')
  } finally {
    await client.end()
  }
}
