import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { day, hour, minute } from '../../../platform/clock.ts'
import { makeAccount, packageOf, type TestAccount } from '../../../testing/account-fixture.ts'
import { makeDomain, makeUser, signInAs } from '../../../testing/factories.ts'
import { DnsServer } from '../../../testing/servers/dns-server.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { domainCheckJob, domainRoundJob } from './domain-checks.ts'

const dns = await DnsServer.start()
const app = useTestApp({ DNS_SERVERS: dns.address, DNS_TIMEOUT: '150', APP_URL: 'https://gate.test' })
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
const publish = ({ namespace, token }: Brought) => dns.txt(namespace, 'other', `kolab-verify=${token}`)

/** Runs the background work of one minute. */
async function round(): Promise<void> {
  await app().jobs.enqueue(app().database.db, domainRoundJob, {})
  await app().jobs.drain()
}

/** Mails about a domain, oldest first. */
async function mailsAbout(namespace: string): Promise<string[]> {
  const mails = await app().mails()
  return mails
    .filter((mail) => mail.subject.includes(namespace))
    .map((mail) => mail.subject)
    .reverse()
}

describe('background checks', () => {
  test('confirm a domain automatically and notify its owner', async () => {
    const domain = await bring()
    await round()
    expect(await read(domain.id)).toMatchObject({ isVerified: true, isConfirmed: false })
    expect((await read(domain.id)).dnsReport.checkedAt).toBe('2026-03-10 12:00:00')
    publish(domain)
    await round()
    expect((await read(domain.id)).isConfirmed, 'the next look is not due yet').toBe(false)
    app().clock.advance(2 * minute)
    await round()
    expect(await read(domain.id)).toMatchObject({ isConfirmed: true, isReady: true })
    const [mail] = (await app().mails()).filter((one) => one.subject.includes(domain.namespace))
    expect(mail).toMatchObject({ subject: `${domain.namespace} is verified` })
    expect(mail?.text).toContain(`https://gate.test/domain/${domain.id}`)
    app().clock.advance(-2 * minute)
  })

  test('become rarer, end after weeks with an e-mail about what is missing, and restart on request', async () => {
    const domain = await bring()
    let looks = 0
    for (let turn = 0; turn < 200; turn++) {
      const { nextCheckAt } = (await readNow(domain.id)) ?? {}
      if (nextCheckAt == null) break
      const wait = (nextCheckAt.getTime() - app().clock.now().getTime()) / 1000
      if (wait > 0) app().clock.advance(wait)
      await round()
      looks++
    }
    expect(looks).toBeGreaterThan(30)
    expect(looks).toBeLessThan(120)
    const [mail, ...more] = (await app().mails()).filter((one) => one.subject.includes(domain.namespace))
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`We couldn’t verify ${domain.namespace}`)
    expect(mail?.text).toContain(`${domain.namespace}. IN TXT "gatehouse-verify=${domain.token}"`)
    expect(mail?.text).toContain(`IN CNAME ${domain.token}.${domain.namespace}.`)
    const { access_token: token } = await signInAs(app(), account.owner)
    await app().call(`GET /api/v4/domains/${domain.id}/confirm`, { token })
    publish(domain)
    app().clock.advance(2 * minute)
    await round()
    const { body } = await app().call(`GET /api/v4/domains/${domain.id}`, { token })
    expect(body.isConfirmed).toBe(true)
  }, 60_000)

  test('notify the owner once when a domain has not pointed to us for a week, without blocking anything', async () => {
    const domain = await bring()
    publish(domain)
    await round()
    dns.remove(domain.namespace)
    dns.zone(domain.namespace)
    const days = async (count: number) => {
      for (let turn = 0; turn < count; turn++) {
        app().clock.advance(day + 3 * hour)
        await round()
      }
    }
    await days(3)
    const early = await readNow(domain.id)
    expect(early?.missingSince).not.toBeNull()
    expect(await mailsAbout(domain.namespace)).toHaveLength(1)
    // unanswered queries are ignored
    dns.fail(domain.namespace, 'servfail')
    await days(1)
    expect((await readNow(domain.id))?.missingSince).toEqual(early?.missingSince)
    dns.remove(domain.namespace)
    await days(8)
    expect(await mailsAbout(domain.namespace)).toEqual([
      `${domain.namespace} is verified`,
      `${domain.namespace} no longer points to us`,
    ])
    expect(await readNow(domain.id)).toMatchObject({ status: 50 })
    // our mail servers count as much as the proof
    dns.add({ name: domain.namespace, type: 'MX', data: { preference: 1, exchange: 'mx.gate.test' } })
    await days(1)
    expect((await readNow(domain.id))?.missingSince).toBeNull()
  })

  test('change nothing if the domain was deleted, restored or moved during the check', async () => {
    const domain = await bring()
    publish(domain)
    await account.as('owner', `DELETE /api/v4/domains/${domain.id}`)
    await app().jobs.enqueue(app().database.db, domainCheckJob, { id: domain.id })
    await app().jobs.drain()
    expect(await readNow(domain.id)).toMatchObject({ status: 9, nextCheckAt: null })
    await account.as('owner', `POST /api/v4/domains/${domain.id}/restore`, {})
    await round()
    expect(await readNow(domain.id), 'still published, so confirmed at once').toMatchObject({ status: 50 })
    const stranger = await makeUser(app())
    await app().database.pool.query('update domains set wallet_id = $1, next_check_at = $2 where id = $3', [
      stranger.walletId,
      app().clock.now(),
      domain.id,
    ])
    await round()
    expect(await readNow(domain.id), 'the old record proves nothing for the next owner').toMatchObject({
      status: 1 | 32,
    })
  })

  test("send e-mails in the owner's language, and to the external address if the mailbox is in the affected domain", async () => {
    const namespace = `inside${++made}.test`
    const owner = await makeUser(app(), {
      email: `boss@${namespace}`,
      plan: 'group',
      settings: { external_email: 'boss@elsewhere.test', first_name: 'Ada' },
    })
    await app().database.pool.query(`update users set language = 'de' where id = $1`, [owner.id])
    const id = await makeDomain(app(), namespace, { type: 4, status: 1, walletId: owner.walletId })
    const token = (await readNow(id))?.token ?? ''
    publish({ id, namespace, token })
    await round()
    const [mail] = (await app().mails()).filter((one) => one.subject.includes(namespace))
    expect(mail?.subject).toBe(`${namespace} ist bereit für Adressen`)
    expect(mail?.to).toMatchObject([{ address: 'boss@elsewhere.test' }])
    expect(mail?.text).toContain('Guten Tag Ada')
  })

  test('take each domain once across processes and skip public domains', async () => {
    const domains = await Promise.all([1, 2, 3, 4, 5].map(() => bring()))
    dns.questions.length = 0
    await Promise.all([round(), round(), round()])
    for (const { namespace } of domains) {
      expect(dns.questions.filter((question) => question === `MX ${namespace}`)).toHaveLength(1)
    }
    expect(dns.questions.some((question) => question.endsWith(' example.test'))).toBe(false)
  })
})

async function readNow(id: number) {
  const { readDomain } = await import('../domain-store.ts')
  return readDomain(app().database.db, id)
}
