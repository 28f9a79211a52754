import type { AddressInfo } from 'node:net'
import { DAVClient } from 'tsdav'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../../testing/account-fixture.ts'
import { makeObject } from '../../../testing/directory-fixture.ts'
import { makeTotp, makeUser } from '../../../testing/factories.ts'
import { makeAppPassword, withMailServices } from '../../../testing/servers/mail-services.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp({ ...withMailServices, APP_WITH_USER_SEARCH: '1' })
let account: TestAccount
let serverUrl = ''
const authorization = (email: string, password: string) =>
  `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
let member = ''

beforeAll(async () => {
  account = await makeAccount(app())
  const settings = { first_name: 'Zoë', last_name: 'Müller' }
  const email = `zoe@${account.domain}`
  await makeUser(app(), { email, walletId: account.owner.walletId, settings })
  await makeObject(account, 'groups', { email: `team@${account.domain}`, name: 'Team' })
  member = authorization(account.member.email, account.member.password)
  await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app().fastify.server.address() as AddressInfo // it listens on a port
  serverUrl = `http://localhost:${port}/carddav/`
})

interface Request {
  readonly path?: string
  readonly depth?: string
  readonly body?: string
  readonly as?: string
}

async function send(
  method: string,
  { path = 'books/account/', depth = '1', body, as = member }: Request = {},
) {
  const headers = { authorization: as, depth, 'content-type': 'application/xml' }
  const response = await fetch(serverUrl + path, { method, headers, ...(body !== undefined && { body }) })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const query = (filter: string) =>
  `<c:addressbook-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:prop><d:getetag/></d:prop>${filter}</c:addressbook-query>`

describe('a CardDAV client', () => {
  test('finds the address book from the start address, and reads its cards', async () => {
    const client = new DAVClient({
      serverUrl,
      credentials: { username: account.member.email, password: account.member.password },
      authMethod: 'Basic',
      defaultAccountType: 'carddav',
    })
    await client.login()
    const [book] = await client.fetchAddressBooks()
    expect(book?.displayName).toBe('Address book')
    if (book === undefined) throw new Error('no address book')
    const cards = await client.fetchVCards({ addressBook: book })
    const texts = cards.map(({ data }) => String(data))
    expect(texts.filter((text) => text.includes('FN:Zoë Müller'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('FN:Team'))).toHaveLength(1)
    expect(await client.isCollectionDirty({ collection: book })).toMatchObject({ isDirty: false })

    await makeObject(account, 'groups', { name: 'New list' })
    expect(await client.isCollectionDirty({ collection: book })).toMatchObject({ isDirty: true })
  })

  test.each([
    ['<c:filter><c:prop-filter name="FN"><c:text-match>muller</c:text-match></c:prop-filter></c:filter>', 1],
    [
      '<c:filter><c:prop-filter name="EMAIL"><c:text-match match-type="starts-with">zoe@</c:text-match></c:prop-filter></c:filter>',
      1,
    ],
    [
      '<c:filter><c:prop-filter name="FN"><c:text-match match-type="equals">zoe</c:text-match></c:prop-filter></c:filter>',
      0,
    ],
    ['<c:filter><c:prop-filter name="TEL"><c:text-match>1</c:text-match></c:prop-filter></c:filter>', 0],
    [
      '<c:filter test="allof"><c:prop-filter name="FN"><c:text-match>zoe</c:text-match></c:prop-filter><c:prop-filter name="TEL"><c:is-not-defined/></c:prop-filter></c:filter>',
      1,
    ],
    [
      '<c:filter test="allof"><c:prop-filter name="FN"><c:text-match>zoe</c:text-match></c:prop-filter><c:prop-filter name="TEL"/></c:filter>',
      0,
    ],
    ['<c:limit><c:nresults>1</c:nresults></c:limit>', 1],
  ])('finds by %s', async (filter, found) => {
    const { status, text } = await send('REPORT', { body: query(filter) })
    expect(status).toBe(207)
    expect(text.match(/<d:response>/g) ?? []).toHaveLength(found)
  })

  test('is told which properties and cards do not exist', async () => {
    const body = '<propfind xmlns="DAV:"><prop><displayname/><x:y xmlns:x="urn:z"/></prop></propfind>'
    const { text } = await send('PROPFIND', { depth: '0', body })
    expect(text).toMatch(
      /<d:displayname>Address book<[\s\S]*200 OK[\s\S]*<x:y xmlns:x="urn:z">[\s\S]*404 Not Found/,
    )
    const gone = `<c:addressbook-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:prop><d:getetag/></d:prop><d:href>/carddav/books/account/user-1.vcf</d:href></c:addressbook-multiget>`
    expect((await send('REPORT', { body: gone })).text).toContain('404 Not Found')
    expect((await send('GET', { path: 'books/account/user-1.vcf' })).status).toBe(404)
  })

  test('reads one card again only if it changed', async () => {
    const { text } = await send('REPORT', { body: query('') })
    const [, path = ''] = /<d:href>\/carddav\/(books\/account\/[^<]+)</.exec(text) ?? []
    const { headers } = await send('GET', { path })
    const again = await fetch(serverUrl + path, {
      headers: { authorization: member, 'if-none-match': headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('can change nothing', async () => {
    expect((await send('PUT', { path: 'books/account/x.vcf', body: 'BEGIN:VCARD' })).status).toBe(403)
    expect((await send('DELETE')).status).toBe(403)
  })
})

describe('the address book', () => {
  test('asks for credentials, and opens with an app password if there is a second factor', async () => {
    const email = `secure@${account.domain}`
    const user = await makeUser(app(), { email, walletId: account.owner.walletId })
    await makeTotp(app(), user)
    const anonymous = await fetch(serverUrl)
    expect(anonymous.status).toBe(401)
    expect(anonymous.headers.get('www-authenticate')).toMatch(/^Basic /)
    const status = async (password: string) =>
      (await send('PROPFIND', { as: authorization(email, password) })).status
    expect(await status('wrong')).toBe(401)
    expect(await status(user.password)).toBe(401)
    expect(await status((await makeAppPassword(app(), user, ['dav'])).secret)).toBe(207)
    expect(await status((await makeAppPassword(app(), user, ['imap'])).secret)).toBe(401)
  })

  test('shows a stranger only their own account', async () => {
    const stranger = await makeUser(app(), { email: 'stranger@example.test' })
    const as = authorization(stranger.email, stranger.password)
    const { text } = await send('REPORT', { as, body: query('') })
    expect(text.match(/<d:response>/g)).toHaveLength(1)
  })

  test.each([
    ['PROPFIND', { depth: 'infinity' }, 403],
    ['PROPFIND', { body: '<propfind' }, 400],
    ['PROPFIND', { body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' }, 400],
    ['PROPFIND', { path: '../api/v4/users' }, 404],
    ['PROPFIND', { path: 'books/other/' }, 404],
    ['REPORT', { body: '<sync-collection xmlns="DAV:"/>' }, 403],
    ['REPORT', { body: '' }, 400],
    ['REPORT', { path: 'principal/', body: query('') }, 404],
  ])('answers %s with %j by %d', async (method, request: Request, status) => {
    expect((await send(method, request)).status).toBe(status)
  })

  test('is not served to staff hosts', async () => {
    expect((await app().call('GET /carddav/', { host: 'admin.localhost:8000' })).status).toBe(404)
  })
})
