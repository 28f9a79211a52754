import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hour } from '../../platform/clock.ts'
import { type MadeUser, makeDomain, makeUser } from '../../testing/factories.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { servicesHost, servicesSecret, withMailServices } from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'

const dns = await DnsServer.start()
afterAll(() => dns[Symbol.asyncDispose]())

const app = useTestApp({ ...withMailServices, DNS_SERVERS: dns.address })
let jane: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'acme.test')
  jane = await makeUser(app(), { email: 'jane@acme.test' })
})

beforeEach(async () => {
  // results are kept for an hour
  app().clock.advance(hour)
  dns.remove('test')
  dns.remove('arpa')
  dns.txt('far.test', 'v=spf1 ip4:192.0.2.10 -all')
  await except([], [])
})

const message = {
  client_address: '192.0.2.10',
  client_name: 'mx.far.test',
  sender: 'ann@far.test',
  recipient: 'jane@acme.test',
}
const other = '198.51.100.7'

const call = async (fields: object) => {
  const { status, body } = await app().call('POST /api/webhooks/policy/spf', {
    host: servicesHost,
    headers: { 'x-services-secret': servicesSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, ...fields }),
  })
  return { status, ...body }
}

/** Sets the exceptions of the recipient and of its domain. */
async function except(ofUser: readonly string[], ofDomain: readonly string[]): Promise<void> {
  const { db } = app().database
  await db
    .updateTable('domains')
    .set({ spfWhitelist: [...ofDomain] })
    .where('namespace', '=', 'acme.test')
    .execute()
  await db.deleteFrom('userSettings').where('key', '=', 'spf_whitelist').execute()
  const value = JSON.stringify(ofUser)
  await db.insertInto('userSettings').values({ userId: jane.id, key: 'spf_whitelist', value }).execute()
}

/** Lets the DNS say that an address has a name, and the name an address. */
function name(host: string, from = other, to = from): void {
  dns.add({ name: `${from.split('.').reverse().join('.')}.in-addr.arpa`, type: 'PTR', data: host })
  dns.add({ name: host, type: 'A', data: to })
}

const header = (result: string, address: string, more = '') =>
  `Received-SPF: ${result}${more} identity=mailfrom; client-ip=${address}; helo=mx.far.test; envelope-from=ann@far.test`

describe('the answer to a message', () => {
  test.each([
    ['passes', 'v=spf1 ip4:192.0.2.10 -all', 'Pass'],
    ['has no record', 'hello', 'None'],
    ['is neutral', 'v=spf1 ?all', 'Neutral'],
    ['fails softly', 'v=spf1 ~all', 'SoftFail'],
    ['has a broken record', 'v=spf1 include:far.test -all', 'PermError'],
  ])('that %s is to accept it', async (_, record, result) => {
    dns.remove('far.test')
    dns.txt('far.test', record)
    expect(await call({})).toEqual({
      status: 200,
      response: 'DUNNO',
      prepend: [header(result, '192.0.2.10')],
    })
  })

  test('whose domain has no working name server is to accept it', async () => {
    dns.fail('far.test', 'servfail')
    expect(await call({})).toMatchObject({ status: 200, prepend: [header('TempError', '192.0.2.10')] })
  })

  test('that fails is to reject it', async () => {
    expect(await call({ client_address: other })).toEqual({
      status: 403,
      response: 'REJECT',
      reason: '550 5.7.23 SPF check failed [S3]',
      prepend: [header('Fail', other)],
    })
  })

  test('is recorded for the recipient', async () => {
    await app().database.db.deleteFrom('mailDecisions').execute()
    await call({ client_address: other })
    await app().decisions.settled()
    expect(await app().database.db.selectFrom('mailDecisions').selectAll().execute()).toMatchObject([
      { policy: 'sender', reason: 'sender.spf-failed', objectId: jane.id, sender: 'ann@far.test' },
    ])
  })

  test.each([
    { client_address: undefined },
    { client_address: '' },
    { client_address: 'unknown' },
    { sender: undefined },
  ])('without an address, such as %j, is to try again later, with a line for the log', async (fields) => {
    expect(await call(fields)).toMatchObject({
      status: 403,
      response: 'DEFER_IF_PERMIT',
      log: [expect.stringMatching(/^SPF: /)],
    })
  })
})

describe('an exception', () => {
  const accepted = {
    status: 200,
    response: 'DUNNO',
    reason: expect.any(String),
    prepend: [header('Fail', other, ' (accepted by an exception of the recipient)')],
  }
  const fields = { client_address: other }

  test.each([
    ['of the recipient names the host', ['mx.far.test'], []],
    ['of the recipient is a suffix', ['.far.test'], []],
    ["of the recipient's domain is a suffix", [], ['.far.test']],
  ])('%s', async (_, ofUser, ofDomain) => {
    await except(ofUser, ofDomain)
    name('mx.far.test')
    expect(await call(fields)).toEqual(accepted)
  })

  test.each([
    ['whose name belongs to another address', () => name('mx.far.test', other, '198.51.100.8')],
    ['whose address has another name', () => name('mx.evil.test')],
    ['whose address has no name', () => dns.add({ name: 'mx.far.test', type: 'A', data: other })],
    ['whose name server fails', () => dns.fail('arpa', 'servfail')],
  ])('does not apply to a client %s', async (_, prepare) => {
    await except([], ['.far.test'])
    prepare()
    expect(await call(fields)).toMatchObject({ status: 403, response: 'REJECT' })
  })

  test('applies to IPv6 clients', async () => {
    await except([], ['.far.test'])
    const digits = '20010db8000000000000000000000007'
    dns.add({ name: `${[...digits].reverse().join('.')}.ip6.arpa`, type: 'PTR', data: 'mx.far.test' })
    dns.add({ name: 'mx.far.test', type: 'AAAA', data: '2001:db8::7' })
    expect(await call({ client_address: '2001:0db8:0::7' })).toMatchObject({ status: 200 })
    expect(await call({ client_address: '2001:db8::8' })).toMatchObject({ status: 403 })
  })

  test('of one domain does not apply to recipients of another', async () => {
    await except([], ['.far.test'])
    name('mx.far.test')
    expect(await call({ ...fields, recipient: 'jane@elsewhere.test' })).toMatchObject({ status: 403 })
  })
})
