import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, type TestAccount } from '../../../testing/account-fixture.ts'
import { makeObject } from '../../../testing/directory-fixture.ts'
import { DnsServer } from '../../../testing/servers/dns-server.ts'
import { makeStaff } from '../../../testing/staff.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const dns = await DnsServer.start()
const app = useTestApp({
  ...{ DNS_SERVERS: dns.address, DNS_TIMEOUT: '150', APP_URL: 'https://gate.test' },
  MAIL_DKIM: 'gatehouse._domainkey.gate.test',
})
let account: TestAccount
let made = 0

afterAll(async () => {
  await dns[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await app().database.pool.query('update domains set next_check_at = null')
  await app().database.pool.query('delete from graphile_worker._private_jobs')
  account = await makeAccount(app())
})

interface Brought {
  readonly id: number
  readonly namespace: string
  readonly token: string
}

/** Creates a domain in the account that exists in the DNS but has none of our records. */
async function bring(inDns = true): Promise<Brought> {
  const namespace = `dns${++made}.test`
  if (inDns) dns.zone(namespace)
  const input = { namespace, package: await packageOf(app(), 'domain-hosting') }
  const { id } = (await account.as('owner', 'POST /api/v4/domains', input)).body
  return { id, namespace, token: (await read(id)).hash_code }
}

const read = async (id: number) => (await account.as('owner', `GET /api/v4/domains/${id}`)).body
const confirm = (id: number, method = 'GET') =>
  account.as('owner', `${method} /api/v4/domains/${id}/confirm`, method === 'POST' ? {} : undefined)
const publish = ({ namespace, token }: Brought) => dns.txt(namespace, 'other', `kolab-verify=${token}`)

/** Mails about a domain, oldest first. */
async function mailsAbout(namespace: string): Promise<string[]> {
  const mails = await app().mails()
  return mails
    .filter((mail) => mail.subject.includes(namespace))
    .map((mail) => mail.subject)
    .reverse()
}

const missing = {
  status: 200,
  body: {
    status: 'error',
    message: 'The verification record wasn’t found. New records can take a few hours to appear.',
  },
}

describe('confirming a domain', () => {
  test.each([
    ['GET', 'kolab-verify'],
    ['POST', 'kolab-verify'],
    ['POST', 'gatehouse-verify'],
  ] as const)('%s finds the TXT record named %s', async (method, label) => {
    const domain = await bring()
    expect(await confirm(domain.id, method)).toMatchObject(missing)
    dns.txt(domain.namespace, 'other', `${label}=${domain.token}`)
    const { status, body } = await confirm(domain.id, method)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        message: 'The domain has been verified.',
        statusInfo: { isDone: true, processState: 'done' },
      },
    })
    expect(await read(domain.id)).toMatchObject({ status: 50, isConfirmed: true, isReady: true })
    // and needs no further check
    dns.remove(domain.namespace)
    expect((await confirm(domain.id, method)).body.status).toBe('success')
    expect(await mailsAbout(domain.namespace)).toEqual([])
  })

  test.each(['kolab-verify', 'gatehouse-verify'])(
    'finds the CNAME record %s, whatever its case',
    async (label) => {
      const domain = await bring()
      const data = `${domain.token}.${domain.namespace}`.toUpperCase()
      dns.add({ name: `${label}.${domain.namespace}`, type: 'CNAME', data })
      expect((await confirm(domain.id)).body.status).toBe('success')
    },
  )

  test('allows addresses in it, which were rejected before', async () => {
    const domain = await bring()
    const create = () =>
      account.as('owner', 'POST /api/v4/users', account.newUser({ email: `a@${domain.namespace}` }))
    expect((await create()).body.errors).toEqual({
      email: 'This domain isn’t verified yet. Verify it first.',
    })
    publish(domain)
    await confirm(domain.id)
    expect((await create()).status).toBe(200)
  })

  test.each<[string, (domain: Brought) => void]>([
    [
      'of a zone that answers every name',
      ({ namespace }) => dns.add({ name: `*.${namespace}`, type: 'CNAME', data: `web.${namespace}` }),
    ],
    [
      'with the token of another domain',
      ({ namespace }) => dns.txt(namespace, `kolab-verify=${'0'.repeat(32)}`),
    ],
    [
      'with the token of another domain, under the product’s name',
      ({ namespace }) => dns.txt(namespace, `gatehouse-verify=${'0'.repeat(32)}`),
    ],
    [
      'under another name',
      ({ namespace, token }) => dns.txt(namespace, token, `verify=${token}`, `other-verify=${token}`),
    ],
    [
      'with the hash that the name alone would give',
      ({ namespace }) => dns.txt(namespace, 'kolab-verify=d41d8cd98f00b204e9800998ecf8427e'),
    ],
    [
      'as a TXT record below the domain',
      ({ namespace, token }) => dns.txt(`kolab-verify.${namespace}`, `kolab-verify=${token}`),
    ],
    [
      'as part of another text',
      ({ namespace, token }) => dns.txt(namespace, `x kolab-verify=${token}`, `kolab-verify=${token}0`),
    ],
    [
      'as an alias to the token in another domain',
      ({ namespace, token }) =>
        dns.add({ name: `kolab-verify.${namespace}`, type: 'CNAME', data: `${token}.elsewhere.test` }),
    ],
    ['with an alias in a ring', ({ namespace }) => dns.fail(namespace, 'loop')],
  ])('does not accept a proof %s', async (_, prepare) => {
    const domain = await bring()
    prepare(domain)
    expect(await confirm(domain.id)).toMatchObject(missing)
    expect(await read(domain.id)).toMatchObject({ isConfirmed: false })
  })

  test('does not accept a TXT record at the target of a CNAME, which belongs to someone else', async () => {
    const domain = await bring(false)
    dns.add({ name: domain.namespace, type: 'CNAME', data: 'stranger.test' })
    dns.txt('stranger.test', `kolab-verify=${domain.token}`)
    expect(await confirm(domain.id)).toMatchObject(missing)
  })

  test.each(['silent', 'servfail', 'refused', 'garbage', 'other id', 'other question'] as const)(
    'with a name server that is %s says so, and works when that is over',
    async (fault) => {
      const domain = await bring()
      publish(domain)
      dns.fail(domain.namespace, fault)
      expect(await confirm(domain.id)).toMatchObject(missing)
      const check = await account.as('owner', `POST /api/v4/domains/${domain.id}/dns-check`, {})
      expect(new Set(check.body.records.map((record: { state: string }) => record.state))).toEqual(
        new Set(['unknown']),
      )
      dns.remove(domain.namespace)
      publish(domain)
      expect((await confirm(domain.id)).body.status).toBe('success')
    },
  )

  test('is logged once when done twice concurrently', async () => {
    const domain = await bring()
    publish(domain)
    const answers = await Promise.all([1, 2, 3].map(() => confirm(domain.id)))
    expect(answers.map((answer) => answer.body.status)).toEqual(['success', 'success', 'success'])
    const { rows } = await app().database.pool.query(
      `select from event_log where object_id = $1 and event = 'domain.confirmed'`,
      [domain.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('is throttled after many attempts', async () => {
    const domain = await bring()
    const statuses: number[] = []
    for (let turn = 0; turn < 12; turn++) statuses.push((await confirm(domain.id)).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200))
    const late = await confirm(domain.id)
    expect(late.status).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('by support staff notifies the owner by e-mail', async () => {
    const domain = await bring()
    publish(domain)
    const admin = await makeStaff(app(), 'admin')
    const host = 'admin.gate.test'
    await admin.call(`GET /api/v4/domains/${domain.id}/status?refresh=1`, { host })
    expect(await mailsAbout(domain.namespace)).toEqual([`${domain.namespace} is verified`])
  })
})

describe('refreshing the set-up status', () => {
  const refresh = async (id: number) =>
    (await account.as('owner', `GET /api/v4/domains/${id}/status?refresh=1`)).body

  test('advances as far as the DNS allows', async () => {
    const domain = await bring(false)
    expect(await refresh(domain.id)).toMatchObject({
      status: 'error',
      message: 'The domain wasn’t found in DNS.',
      isVerified: false,
    })
    dns.zone(domain.namespace)
    expect(await refresh(domain.id)).toMatchObject({
      status: 'error',
      message: 'The domain couldn’t be verified.',
      isVerified: true,
      isConfirmed: false,
    })
    publish(domain)
    expect(await refresh(domain.id)).toMatchObject({
      status: 'success',
      message: 'The setup is complete.',
      processState: 'done',
      isDone: true,
      isReady: true,
    })
    const plain = (await account.as('owner', `GET /api/v4/domains/${domain.id}/status`)).body
    expect(plain).toMatchObject({ isDone: true, isActive: true })
    expect(plain.status).toBeUndefined()
  })

  test("of a user advances the domain of the user's address", async () => {
    const domain = await bring()
    await app().database.pool.query('update domains set status = 50 where id = $1', [domain.id])
    const input = account.newUser({ email: `boss@${domain.namespace}` })
    const { id } = (await account.as('owner', 'POST /api/v4/users', input)).body
    await app().jobs.drain()
    await app().database.pool.query('update domains set status = 1 where id = $1', [domain.id])
    const refreshUser = async () =>
      (await account.as('owner', `GET /api/v4/users/${id}/status?refresh=1`)).body
    expect(await refreshUser()).toMatchObject({
      status: 'error',
      message: 'The domain couldn’t be verified.',
    })
    publish(domain)
    expect(await refreshUser()).toMatchObject({ status: 'success', isDone: true })
  })

  test.each(['groups', 'resources', 'shared-folders'] as const)(
    'of one of the %s goes on to its domain',
    async (collection) => {
      const domain = await bring()
      await app().database.pool.query('update domains set status = 50 where id = $1', [domain.id])
      const id = await makeObject({ ...account, domain: domain.namespace }, collection)
      await app().jobs.drain()
      await app().database.pool.query('update domains set status = 1 where id = $1', [domain.id])
      const refreshObject = async () =>
        (await account.as('owner', `GET /api/v4/${collection}/${id}/status?refresh=1`)).body
      expect(await refreshObject()).toMatchObject({
        status: 'error',
        message: 'The domain couldn’t be verified.',
      })
      publish(domain)
      expect(await refreshObject()).toMatchObject({ status: 'success', isDone: true })
    },
  )

  test('makes no DNS query if no step is open', async () => {
    dns.questions.length = 0
    expect(await refresh(account.domainId)).toMatchObject({ status: 'success', isDone: true })
    expect(dns.questions).toEqual([])
  })
})

describe('checking the mail records', () => {
  const look = async (id: number) => {
    const { status, body } = await account.as('owner', `POST /api/v4/domains/${id}/dns-check`, {})
    expect(status).toBe(200)
    return body
  }
  const states = (report: { records: { kind: string; state: string }[] }) =>
    Object.fromEntries(report.records.map(({ kind, state }) => [kind, state]))

  test('compares found with required records and stores the result', async () => {
    const domain = await bring()
    const { namespace } = domain
    const before = (await read(domain.id)).dnsReport
    expect(new Set(Object.values(states(before)))).toEqual(new Set(['unchecked']))
    expect(new Set(Object.values(states(await look(domain.id))))).toEqual(new Set(['missing']))
    dns.add(
      { name: namespace, type: 'MX', data: { preference: 7, exchange: 'MX.Gate.test' } },
      { name: `gatehouse._domainkey.${namespace}`, type: 'CNAME', data: 'gatehouse._domainkey.gate.test' },
      { name: `autoconfig.${namespace}`, type: 'CNAME', data: 'elsewhere.test' },
    )
    dns.txt(namespace, 'kolab-verify=x', ['v=spf1 include:', 'spf.gate.test -all'])
    dns.txt(`_dmarc.${namespace}`, 'unrelated', 'v=DMARC1; p=reject')
    dns.fail(`autodiscover.${namespace}`, 'servfail')
    const report = await look(domain.id)
    expect(states(report)).toEqual({
      mx: 'ok',
      spf: 'ok',
      dkim: 'ok',
      dmarc: 'ok',
      autoconfig: 'different',
      autodiscover: 'unknown',
    })
    expect(report.checkedAt).toBe('2026-03-10 12:00:00')
    expect(report.records[0]).toEqual({
      kind: 'mx',
      type: 'MX',
      name: namespace,
      wanted: ['10 mx.gate.test.'],
      found: ['7 mx.gate.test.'],
      state: 'ok',
      isOptional: false,
    })
    expect(report.records[1].found).toEqual(['v=spf1 include:spf.gate.test -all'])
    expect((await read(domain.id)).dnsReport).toMatchObject({ records: report.records })
  })

  test('stores and shows foreign records sanitised and truncated', async () => {
    const domain = await bring()
    dns.txt(domain.namespace, `v=spf1 \0<script>alert(1)</script>\u001b[31m ${'x'.repeat(180)}`)
    dns.txt(
      `_dmarc.${domain.namespace}`,
      Array.from({ length: 20 }, () => 'v=DMARC1;'.padEnd(200, 'z')),
    )
    const { records } = await look(domain.id)
    expect(records[1].found[0]).toContain('\ufffd<script>')
    expect(records[3].found[0]).toHaveLength(600)
    expect((await read(domain.id)).dnsReport.records).toEqual(records)
  })

  test('is throttled after many attempts', async () => {
    const domain = await bring()
    for (let turn = 0; turn < 11; turn++)
      await account.as('owner', `POST /api/v4/domains/${domain.id}/dns-check`, {})
    const { status } = await account.as('owner', `POST /api/v4/domains/${domain.id}/dns-check`, {})
    expect(status).toBe(429)
  })
})
