import type { DnsRecord } from '@gatehouse/contract/directory/domains'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { after, day, hour } from '../../platform/clock.ts'
import { DnsClient } from '../../platform/dns/dns-client.ts'
import { textStrings } from '../../platform/dns/text-record.ts'
import { purgeJob } from '../../platform/purge.ts'
import { makeAccount, packageOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeDomain, makeUser, signInAs } from '../../testing/factories.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { checkSender } from '../sender-authentication/sender-check.ts'
import { SpfCheck } from '../sender-authentication/spf-check.ts'
import { dkimRoundJob } from './dkim-jobs.ts'
import { DkimKeys, dkimKeyPurpose } from './dkim-keys.ts'
import { DkimSigner } from './dkim-signer.ts'
import { dueDomains, readKeys } from './dkim-store.ts'
import { signMessage } from './sign-message.ts'

const dns = await DnsServer.start()
const settings = { DNS_SERVERS: dns.address, DNS_TIMEOUT: '150', APP_URL: 'https://gate.test' }
const app = useTestApp({ ...settings, MAIL_DKIM: undefined })
const sharing = useTestApp({ ...settings, MAIL_DKIM: 'key.gate.test' })
let account: TestAccount
let made = 0

const config = { mailSetup: { dkim: null }, MAIL_DKIM_KEY_DAYS: 365 } as ConstructorParameters<
  typeof DkimKeys
>[0]['config'] // the keys read nothing else
const parts = () => ({ config, db: app().database.db, clock: app().clock, secrets: app().secrets })
const client = new DnsClient({ servers: [dns.address], timeout: 150 })

beforeAll(async () => {
  account = await makeAccount(app())
})
beforeEach(async () => {
  // rounds are only about the domain of the test
  await app().database.pool.query(`update domains set status = 1, type = 4 where namespace <> $1`, [
    account.domain,
  ])
})
afterAll(async () => {
  await dns[Symbol.asyncDispose]()
})

interface Brought {
  readonly id: number
  readonly namespace: string
}

/** Signs in for each call, because months pass between them. */
async function asOwner(route: string, body?: unknown) {
  const { access_token: token } = await signInAs(app(), account.owner)
  return app().call(route, { token, ...(body !== undefined && { body }) })
}

async function bring(): Promise<Brought> {
  const namespace = `keys${++made}.test`
  dns.zone(namespace)
  const input = { namespace, package: await packageOf(app(), 'domain-hosting') }
  const { id } = (await asOwner('POST /api/v4/domains', input)).body
  await app().jobs.drain()
  return { id, namespace }
}

/** Adds a domain whose ownership is proved. */
async function bringConfirmed(): Promise<Brought> {
  const domain = await bring()
  await app().database.pool.query('update domains set status = 50 where id = $1', [domain.id])
  return domain
}

const keysOf = ({ id }: Brought) => readKeys(app().database.db, [id])
const statesOf = async (domain: Brought) =>
  (await keysOf(domain)).map(({ algorithm, state }) => `${algorithm} ${state}`).sort()

async function recordsOf({ id }: Brought): Promise<DnsRecord[]> {
  const { dnsReport } = (await asOwner(`GET /api/v4/domains/${id}`)).body
  return dnsReport.records.filter(({ kind }: DnsRecord) => kind === 'dkim')
}

/** Makes the DNS have exactly the records that the domain's page shows. */
async function publish(domain: Brought): Promise<void> {
  dns.remove(`_domainkey.${domain.namespace}`)
  for (const { name, wanted } of await recordsOf(domain)) dns.txt(name, textStrings(wanted[0] ?? ''))
}

async function round(): Promise<void> {
  await app().jobs.enqueue(app().database.db, dkimRoundJob, {})
  await app().jobs.drain()
}

async function days(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    app().clock.advance(day)
    await round()
  }
}

/** What a process that has just started signs with. */
const signerFor = (namespace: string) => new DkimSigner(parts()).signerFor(namespace)

async function mailsTo(namespace: string) {
  return (await app().mails()).filter(({ subject }) => subject.includes(namespace))
}

async function eventsOf({ id }: Brought): Promise<string[]> {
  const { rows } = await app().database.pool.query<{ event: string }>(
    `select event from event_log where object_type = 'domain' and object_id = $1 and event like '%dkim%'
      order by created_at, id`,
    [id],
  )
  return rows.map(({ event }) => event)
}

test('a domain from before there were keys gets them when its records are checked', async () => {
  const domain = await bringConfirmed()
  await app().database.pool.query('delete from dkim_keys where domain_id = $1', [domain.id])
  expect((await asOwner(`POST /api/v4/domains/${domain.id}/dns-check`)).status).toBe(200)
  await app().jobs.drain()
  expect(await statesOf(domain)).toEqual(['ed25519 published', 'rsa published'])
})

describe('a new domain', () => {
  test('gets an RSA and an Ed25519 key, whose records its page shows', async () => {
    const domain = await bring()
    const records = await recordsOf(domain)
    expect(records).toMatchObject([
      { type: 'TXT', isOptional: false, state: 'unchecked', key: { algorithm: 'rsa', stage: 'new' } },
      { type: 'TXT', isOptional: true, state: 'unchecked', key: { algorithm: 'ed25519', stage: 'new' } },
    ])
    expect(records[0]?.name).toBe(`d20260310r._domainkey.${domain.namespace}`)
    expect(records[0]?.wanted[0]).toMatch(/^v=DKIM1; k=rsa; s=email; t=s; p=[A-Za-z0-9+/=]{392}$/)
    const { mx } = (await asOwner(`GET /api/v4/domains/${domain.id}`)).body
    expect(mx.join('\n')).toMatch(/^d20260310r\._domainkey 3600 IN TXT "v=DKIM1.{248}" "[^"]+"$/m)
    expect(await mailsTo(domain.namespace)).toEqual([])
  })

  test('has its private keys sealed in the database', async () => {
    const domain = await bring()
    const rows = await app()
      .database.db.selectFrom('dkimKeys')
      .select('privateKey')
      .where('domainId', '=', domain.id)
      .execute()
    expect(rows).toHaveLength(2)
    for (const { privateKey } of rows) {
      expect(privateKey?.toString('latin1')).not.toContain('PRIVATE KEY')
      const opened = app().secrets.decrypt(dkimKeyPurpose, privateKey ?? Buffer.alloc(0))
      expect(opened).toContain('BEGIN PRIVATE KEY')
    }
  })

  test('gets one set of keys from several processes at once', async () => {
    const namespace = `keys${++made}.test`
    const id = await makeDomain(app(), namespace)
    await Promise.all([1, 2, 3].map(() => new DkimKeys(parts()).maintain(client, id)))
    expect(await statesOf({ id, namespace })).toEqual(['ed25519 published', 'rsa published'])
  })

  test('gets keys in the hourly round if it is public or was confirmed before there were keys', async () => {
    const open = { id: await makeDomain(app(), 'open.test'), namespace: 'open.test' }
    const unproved = {
      id: await makeDomain(app(), 'unproved.test', { type: 4, status: 1 }),
      namespace: 'unproved.test',
    }
    await round()
    expect(await statesOf(open)).toEqual(['ed25519 published', 'rsa published'])
    expect(await statesOf(unproved)).toEqual([])
  })

  test('shows the shared key and has no keys of its own if MAIL_DKIM is set', async () => {
    const { db } = sharing().database
    const owner = await makeUser(sharing(), { plan: 'group' })
    const id = await makeDomain(sharing(), 'shared.test', { type: 4, status: 50, walletId: owner.walletId })
    await sharing().jobs.enqueue(db, dkimRoundJob, {})
    await sharing().jobs.drain()
    const keys = new DkimKeys({ ...parts(), db, config: { ...config, mailSetup: shared() } })
    await keys.maintain(client, id)
    expect(await readKeys(db, [id])).toEqual([])
    const signer = new DkimSigner({ ...parts(), db, config: { mailSetup: shared() } })
    expect(await signer.signerFor('shared.test')).toEqual([])
  })
})

const shared = () => ({ ...config.mailSetup, dkim: 'key.gate.test' })

describe('a key', () => {
  test('signs once its record has been visible for a day, and the signature is verified by others', async () => {
    const domain = await bringConfirmed()
    await days(2)
    expect(await signerFor(domain.namespace), 'not published').toEqual([])
    await publish(domain)
    await asOwner(`POST /api/v4/domains/${domain.id}/dns-check`, {})
    expect((await recordsOf(domain)).map(({ state }) => state)).toEqual(['ok', 'ok'])
    app().clock.advance(23 * hour)
    await round()
    expect(await signerFor(domain.namespace), 'too early').toEqual([])
    app().clock.advance(hour)
    await round()
    const keys = await signerFor(domain.namespace.toUpperCase())
    expect(keys.map(({ algorithm }) => algorithm)).toEqual(['rsa', 'ed25519'])
    expect((await recordsOf(domain)).map(({ key }) => key?.stage)).toEqual(['signing', 'signing'])
    expect(await verify(domain.namespace, keys)).toEqual(['pass', 'pass'])
    expect(await eventsOf(domain)).toEqual([
      'domain.dkim-created',
      'domain.dkim-activated',
      'domain.dkim-activated',
    ])
  })

  test('does not sign for a domain that is not confirmed or was deleted', async () => {
    const domain = await bringConfirmed()
    await publish(domain)
    await days(2)
    expect(await signerFor(domain.namespace)).toHaveLength(2)
    await app().database.pool.query('update domains set status = 1 where id = $1', [domain.id])
    expect(await signerFor(domain.namespace)).toEqual([])
    await app().database.pool.query('update domains set status = 50 where id = $1', [domain.id])
    await asOwner(`DELETE /api/v4/domains/${domain.id}`)
    expect(await signerFor(domain.namespace)).toEqual([])
    expect(await signerFor('unknown.test')).toEqual([])
  })

  test('starts again if its record disappears, but not if there is no answer', async () => {
    const domain = await bringConfirmed()
    await publish(domain)
    await round()
    const visible = async () => (await keysOf(domain)).map(({ visibleSince }) => visibleSince)
    expect(await visible()).not.toContain(null)
    const seen = await visible()
    dns.fail(domain.namespace, 'servfail')
    app().clock.advance(23 * hour)
    await round()
    expect(await visible()).toEqual(seen)
    dns.remove(domain.namespace)
    dns.zone(domain.namespace)
    app().clock.advance(hour)
    await round()
    expect(await visible()).toEqual([null, null])
    expect(await signerFor(domain.namespace)).toEqual([])
  })

  test('counts as missing if the record has the key of another algorithm or another key', async () => {
    const domain = await bringConfirmed()
    const [rsa] = await recordsOf(domain)
    dns.txt(rsa?.name ?? '', textStrings(rsa?.wanted[0]?.replace('k=rsa', 'k=ed25519') ?? ''))
    await round()
    expect((await keysOf(domain)).every(({ visibleSince }) => visibleSince === null)).toBe(true)
  })

  test('is read at most once a minute by a process', async () => {
    const domain = await bringConfirmed()
    const signer = new DkimSigner(parts())
    expect(await signer.signerFor(domain.namespace)).toEqual([])
    await publish(domain)
    await days(2)
    const since = app().clock.now()
    app().clock.advance(-2 * day)
    expect(await signer.signerFor(domain.namespace)).toEqual([])
    app().clock.advance((since.getTime() - app().clock.now().getTime()) / 1000)
    expect(await signer.signerFor(domain.namespace)).toHaveLength(2)
  })
})

describe('a rotation', () => {
  test('replaces the keys after a year once the owner has published the next ones', async () => {
    const domain = await bringConfirmed()
    await publish(domain)
    await days(2)
    const first = await signerFor(domain.namespace)
    app().clock.advance(362 * day)
    await round()
    expect(await statesOf(domain)).toEqual(['ed25519 active', 'rsa active'])
    await days(1)
    expect(await statesOf(domain)).toEqual([
      'ed25519 active',
      'ed25519 published',
      'rsa active',
      'rsa published',
    ])
    const [mail, ...more] = await mailsTo(domain.namespace)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`Publish a new DKIM key for ${domain.namespace}`)
    const added = (await recordsOf(domain)).filter(({ key }) => key?.stage === 'new')
    for (const { name, wanted } of added) {
      expect(mail?.text).toContain(`${name}: "${wanted[0]?.slice(0, 255)}"`)
    }
    app().clock.advance(30 * day)
    await round()
    expect(await signerFor(domain.namespace), 'the owner has done nothing').toEqual(first)
    await publish(domain)
    await days(2)
    const second = await signerFor(domain.namespace)
    expect(second).not.toEqual(first)
    expect(await verify(domain.namespace, second)).toEqual(['pass', 'pass'])
    expect((await recordsOf(domain)).map(({ key }) => `${key?.algorithm} ${key?.stage}`)).toEqual([
      'rsa signing',
      'rsa old',
      'ed25519 signing',
      'ed25519 old',
    ])
    expect(await verify(domain.namespace, first), 'mail that is still under way').toEqual(['pass', 'pass'])
    app().clock.advance(6 * day)
    await round()
    expect(await statesOf(domain)).toEqual(['ed25519 active', 'ed25519 retired', 'rsa active', 'rsa retired'])
    expect(await recordsOf(domain)).toHaveLength(2)
    expect(await mailsTo(domain.namespace)).toHaveLength(1)
    const { rows } = await app().database.pool.query(
      'select state from dkim_keys where domain_id = $1 and private_key is null order by selector',
      [domain.id],
    )
    expect(rows).toEqual([{ state: 'retired' }, { state: 'retired' }])
    expect((await eventsOf(domain)).slice(3)).toEqual([
      'domain.dkim-created',
      ...['domain.dkim-activated', 'domain.dkim-activated'],
      ...['domain.dkim-removed', 'domain.dkim-removed'],
    ])
  })

  test('goes on after the clock was a year ahead and set back', async () => {
    const [waiting, signing] = [await bringConfirmed(), await bringConfirmed()]
    await publish(signing)
    await days(2)
    expect(await statesOf(signing)).toEqual(['ed25519 active', 'rsa active'])
    app().clock.advance(400 * day)
    await publish(waiting)
    await round()
    await app().jobs.drain()
    app().clock.advance(-400 * day)
    await days(3)
    expect(await statesOf(waiting)).toEqual(['ed25519 active', 'rsa active'])
    const keys = [...(await keysOf(waiting)), ...(await keysOf(signing))]
    expect(keys.filter(({ since }) => since > app().clock.now())).toEqual([])
    // what the clock started is finished
    await publish(signing)
    await days(3)
    expect(await statesOf(signing)).toEqual([
      ...['ed25519 active', 'ed25519 retiring', 'rsa active', 'rsa retiring'],
    ])
  })

  test('is done by the round only where something is due', async () => {
    const domain = await bringConfirmed()
    const due = async (ahead = 0) =>
      (
        await dueDomains(
          app().database.db,
          after(app().clock.now(), ahead),
          new DkimKeys(parts()).settings,
          9999,
        )
      ).includes(domain.id)
    expect(await due()).toBe(true)
    await publish(domain)
    await round()
    expect(await due()).toBe(false)
    expect(await due(day)).toBe(true)
    await days(1)
    expect(await due(300 * day)).toBe(false)
    expect(await due(363 * day)).toBe(true)
  })
})

describe('the keys of a deleted domain', () => {
  const purge = async () => {
    await app().jobs.enqueue(app().database.db, purgeJob, {})
    await app().jobs.drain()
  }

  test('are kept while it can be restored, then removed', async () => {
    const domain = await bringConfirmed()
    const before = await keysOf(domain)
    await asOwner(`DELETE /api/v4/domains/${domain.id}`)
    await purge()
    await asOwner(`POST /api/v4/domains/${domain.id}/restore`, {})
    await app().jobs.drain()
    expect((await keysOf(domain)).map(({ selector }) => selector)).toEqual(
      before.map(({ selector }) => selector),
    )
    await asOwner(`DELETE /api/v4/domains/${domain.id}`)
    app().clock.advance(31 * day)
    await purge()
    expect(await keysOf(domain)).toEqual([])
    await new DkimKeys(parts()).maintain(client, domain.id)
    expect(await keysOf(domain)).toEqual([])
  })
})

/** Signs a message and returns what another mail server finds. */
async function verify(domain: string, keys: Parameters<typeof signMessage>[2]): Promise<string[]> {
  const clock = app().clock
  const message = Buffer.from(
    `From: jane@${domain}\r\nTo: ned@else.test\r\nSubject: Hello\r\n\r\nDear Ned\r\n`,
  )
  const fields = await signMessage(message, domain, keys, clock.now())
  const signed = Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n`), message])
  const limits = { time: 10_000, questions: 40 }
  const cache = { seconds: 60, entries: 10 }
  const spf = new SpfCheck({ dns: client, clock, limits, cache, hostName: 'mx.else.test' })
  const query = { clientAddress: '192.0.2.1', helo: `mail.${domain}`, sender: `jane@${domain}` }
  const found = await checkSender(signed, query, { dns: client, spf, clock, limits })
  return found.dkim.map(({ result }) => result)
}
