import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUuid } from '../../platform/ids.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { heldWork } from '../held-mail/held-mail.ts'
import type { HeldDecision } from '../held-mail/held-mail-store.ts'
import { HeldMailWorker } from '../held-mail/held-mail-worker.ts'

const run = promisify(execFile)
const program = '/usr/sbin/postfix'
// Postfix changes users, so it starts only as root
const isPossible = existsSync(program) && process.getuid?.() === 0
const slow = 60_000

let dns: DnsServer
let app: TestApp
let account: TestAccount
let folder: string
let port: number

beforeAll(async () => {
  if (!isPossible) return
  dns = await DnsServer.start()
  dns.zone('elsewhere.test')
  dns.txt('elsewhere.test', 'v=spf1 ip4:127.0.0.1 -all')
  dns.zone('unproved.test')
  app = await createTestApp({
    DNS_SERVERS: dns.address,
    MAIL_GATEWAY_POLICY: '127.0.0.1:0',
    MAIL_GATEWAY_SOCKETMAP: '127.0.0.1:0',
  })
  account = await makeAccount(app)
  const setting = { userId: account.owner.id, key: 'greylist_policy', value: 'false' }
  await app.database.db.insertInto('userSettings').values(setting).execute()
  const ports = await app.gateway.start()
  // not below the folder for temporary files, which other users can't enter
  folder = await mkdtemp('/var/tmp/gatehouse-postfix-')
  port = await freePort()
  await writeConfiguration(ports.policy ?? 0, ports.socketmap ?? 0)
  await run(program, ['-c', join(folder, 'conf'), 'start'])
}, slow)
afterAll(async () => {
  if (!isPossible) return
  await run(program, ['-c', join(folder, 'conf'), 'stop'])
  await app.gateway.close()
  await app.close()
  await dns[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}, slow)

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** An instance of its own that receives mail and keeps it in its queue. */
async function writeConfiguration(policy: number, socketmap: number): Promise<void> {
  const map = (name: string) => `socketmap:inet:127.0.0.1:${socketmap}:${name}`
  const main = {
    ...{ compatibility_level: '3.6', queue_directory: `${folder}/queue`, data_directory: `${folder}/data` },
    ...{ command_directory: '/usr/sbin', daemon_directory: '/usr/lib/postfix/sbin' },
    ...{ mail_owner: 'postfix', setgid_group: 'postdrop', myhostname: 'mx.gateway.test', mydestination: '' },
    ...{ maillog_file: `${folder}/postfix.log`, maillog_file_prefixes: folder },
    ...{ local_recipient_maps: '', alias_maps: '', mynetworks: '', inet_interfaces: '127.0.0.1' },
    ...{ inet_protocols: 'ipv4', smtp_dns_support_level: 'disabled', defer_transports: 'hold' },
    virtual_transport: 'hold',
    virtual_mailbox_domains: map('domains'),
    virtual_mailbox_maps: map('mailboxes'),
    virtual_alias_maps: map('aliases'),
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_recipient_restrictions: `check_policy_service inet:127.0.0.1:${policy}, reject_unlisted_recipient`,
  }
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'postlog unix-dgram n - n - 1 postlogd',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'proxymap unix - - n - - proxymap',
    'hold unix - - n - - error',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
  ]
  for (const name of ['conf', 'queue', 'data']) await mkdir(join(folder, name), { recursive: true })
  await run('chmod', ['755', folder])
  await run('chown', ['postfix', join(folder, 'data')])
  const lines = Object.entries(main).map(([name, value]) => `${name} = ${value}\n`)
  await writeFile(join(folder, 'conf/main.cf'), lines.join(''))
  await writeFile(join(folder, 'conf/master.cf'), `${services.join('\n')}\n`)
}

async function send(to: string, from = 'ann@elsewhere.test'): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    const { response } = await transport.sendMail({
      from,
      to,
      subject: 'Hi',
      text: 'Hi',
    })
    return response
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}

/** Whether Postfix has a message in one of its queues. */
function isIn(queue: 'hold' | 'deferred', queueId: string): boolean {
  const place = queue === 'hold' ? 'hold' : `deferred/${queueId.charAt(0)}`
  return existsSync(join(folder, 'queue', place, queueId))
}

/** Sends a message, which Postfix then holds, and returns its queue id. */
async function beHeld(decision: HeldDecision): Promise<string> {
  const queueId = /queued as (\w+)/.exec(await send(account.member.email))?.[1] ?? ''
  await run('/usr/sbin/postsuper', ['-c', join(folder, 'conf'), '-h', queueId])
  const { db } = app.database
  const now = app.clock.now()
  const id = newUuid()
  const [userId, walletId] = [account.member.id, account.owner.walletId]
  await db
    .insertInto('heldMessages')
    .values({
      ...{ id, userId, walletId, queueId, sender: account.member.email, recipients: [], recipientCount: 1 },
      ...{ recipientsHash: id, reason: 'rate.messages-per-hour', heldAt: now, decision, decidedAt: now },
    })
    .execute()
  return queueId
}

const name =
  'Postfix refuses mail for a closed list with its code, and accepts other mail (needs postfix and root)'

test.skipIf(!isPossible)(name, { timeout: slow }, async () => {
  const open = `open@${account.domain}`
  const closed = `closed@${account.domain}`
  await makeObject(account, 'groups', { email: open })
  const id = await makeObject(account, 'groups', { email: closed })
  await account.as('owner', `POST /api/v4/groups/${id}/config`, { members_may_send: true })
  expect(await send(closed)).toContain('[L5]')
  expect(await send(closed, 'ann@unproved.test')).toContain('[L6]')
  expect(await send(open)).toMatch(/^250 2\.0\.0 Ok/)
  expect(await send(account.member.email)).toMatch(/^250 2\.0\.0 Ok/)
  expect(await send(`nobody@${account.domain}`)).toMatch(/550 5\.1\.1/)
})

test.skipIf(!isPossible)(
  'Postfix releases and discards held mail as people decided (needs postfix and root)',
  { timeout: slow },
  async () => {
    const { database, clock, fastify } = app
    const parts = { db: database.db, clock, log: fastify.log }
    const [released, discarded] = [await beHeld('release'), await beHeld('discard')]
    expect([isIn('hold', released), isIn('hold', discarded)]).toEqual([true, true])
    await new HeldMailWorker(join(folder, 'conf'), parts).runNow()
    expect([isIn('hold', released), isIn('hold', discarded)]).toEqual([false, false])
    expect(isIn('deferred', discarded)).toBe(false)
    expect(await heldWork(parts)).toEqual({ release: [], discard: [] })
  },
)

test.skipIf(!isPossible)(
  'decisions about mail of another mail server, and ids that are none, stay undone (needs postfix and root)',
  { timeout: slow },
  async () => {
    const { database, clock, fastify } = app
    const parts = { db: database.db, clock, log: fastify.log }
    const queueId = await beHeld('discard')
    const change = (id: string) =>
      database.db.updateTable('heldMessages').set({ queueId: id }).where('doneAt', 'is', null).execute()
    for (const id of ['ALL', '-r', '4bTk6qRjct9']) {
      await change(id)
      await new HeldMailWorker(join(folder, 'conf'), parts).runNow()
      expect(await heldWork(parts)).toEqual({ release: [], discard: [id] })
    }
    expect(isIn('hold', queueId)).toBe(true)
  },
)
