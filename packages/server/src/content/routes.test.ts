import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let caller = 0
let ip = ''
beforeEach(() => {
  ip = `203.0.113.${++caller}`
})

describe('the FAQ entries of a page', () => {
  test('have titles and addresses in the language of the request', async () => {
    const ask = async (headers: Record<string, string>) => app().call('GET /content/faq/signup', { headers })
    const english = await ask({ 'accept-language': 'en' })
    expect(english.status).toBe(200)
    expect(english.body.status).toBe('success')
    expect(english.body.faq[0]).toEqual({ label: 'support', href: '/support', title: expect.any(String) })
    const titles = new Set<string>([english.body.faq[1].title])
    for (const language of ['de', 'fr', 'it']) {
      titles.add((await ask({ 'accept-language': language })).body.faq[1].title)
      const chosen = await ask({ 'accept-language': 'en', cookie: `x=y; language=${language}` })
      expect(titles).toContain(chosen.body.faq[1].title)
    }
    expect(titles.size).toBe(4)
  })

  test.each(['/Signup', '/signup/', '/signup/ABCDE-code', '/password-reset', '/user/123'])(
    'of %s are found',
    async (path) => {
      const { body } = await app().call(`GET /content/faq${path}`)
      expect(body.faq.length).toBeGreaterThan(0)
    },
  )

  test.each(['/nothing', '/wallet', '/*', '/**', '/__proto__', '/constructor', '/%00'])(
    'of %s are none, which is no error',
    async (path) => {
      const { status, body } = await app().call(`GET /content/faq${path}`)
      expect({ status, body }).toEqual({ status: 200, body: { status: 'success', faq: [] } })
    },
  )

  test.each(['/content/faq', '/content/faq/', '/content/faq//'])('%s names no page', async (path) => {
    expect((await app().call(`GET ${path}`)).status).toBe(404)
  })
})

describe('a content page', () => {
  test('is an HTML fragment in the language of the request', async () => {
    const pages = new Set<string>()
    for (const language of ['en', 'de', 'fr', 'it']) {
      const { status, body, headers } = await app().call('GET /content/page/support', {
        headers: { 'accept-language': language },
      })
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(body).not.toMatch(/<script|<html|onerror|\{\{/i)
      pages.add(body)
    }
    expect(pages.size).toBe(4)
  })

  test('is found regardless of case', async () => {
    expect((await app().call('GET /content/page/Support')).status).toBe(200)
  })

  test.each([
    '',
    '/',
    '/nothing',
    '/support.en',
    '/..%2fsupport',
    '/support%00',
    '/../../etc/passwd',
    '/__proto__',
    '/support/x',
  ])('"%s" is answered with a 404 in the error envelope', async (path) => {
    const { status, body } = await app().call(`GET /content/page${path}`)
    expect({ status, body }).toEqual({ status: 404, body: { status: 'error', message: 'Not found' } })
  })
})

describe('a support request', () => {
  const ask = (body: object, headers: Record<string, string> = {}) =>
    app().call('POST /api/v4/support/request', { body, ip, headers })
  const whole = { email: 'ada@elsewhere.test', summary: 'Help me', body: 'Line one\nLine two' }
  const newest = async () => (await app().mails())[0]

  test('is mailed from our address with the requester as reply address', async () => {
    const { status, body } = await ask({ ...whole, user: '123', name: 'Ada Lovelace' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'Your message has been sent. We’ll answer by e-mail.' },
    })
    const mail = await newest()
    expect(mail).toMatchObject({
      from: { address: 'noreply@localhost' },
      to: [{ address: 'help@example.test' }],
      replyTo: { address: 'ada@elsewhere.test', name: 'Ada Lovelace' },
      subject: expect.stringContaining('Help me'),
    })
    for (const part of ['123', 'Ada Lovelace', 'ada@elsewhere.test', 'Line one', 'Line two']) {
      expect(mail?.text).toContain(part)
    }
  })

  test('requires neither user nor name', async () => {
    for (const extra of [{}, { user: null, name: '' }])
      expect((await ask({ ...whole, ...extra })).status).toBe(200)
  })

  test('cannot forge a header through any field', async () => {
    app().clock.advance(1)
    const { status } = await ask({
      user: '1\r\nX-Evil: 1',
      name: 'Eve" <evil@evil.test>\r\nBcc: victim@elsewhere.test',
      email: 'eve@elsewhere.test',
      summary: 'Hello\r\nBcc: victim@elsewhere.test\r\n\r\nbody',
      body: '<script>alert(1)</script>\n.\n 🔑',
    })
    expect(status).toBe(200)
    const mail = await newest()
    expect(mail?.from.address).toBe('noreply@localhost')
    expect(mail?.to).toEqual([expect.objectContaining({ address: 'help@example.test' })])
    expect(mail?.cc).toEqual([])
    expect(mail?.replyTo?.address).toBe('eve@elsewhere.test')
    expect(mail?.replyTo?.name).not.toMatch(/[\r\n]/)
    expect(mail?.subject).not.toMatch(/[\r\n]/)
    expect(mail?.html ?? '').not.toContain('<script>')
  })

  const required = ['Fill in this field.']
  test.each([
    [{}, { email: required, summary: required, body: required }],
    [
      { email: '', summary: null, body: '   ' },
      { email: required, summary: required, body: required },
    ],
    [{ ...whole, email: 'nonsense' }, { email: ['Enter a valid e-mail address.'] }],
    [{ ...whole, email: `${'x'.repeat(190)}@b.test` }, { email: expect.any(Array) }],
    [{ ...whole, summary: 'x'.repeat(513) }, { summary: ['Enter at most 512 characters.'] }],
    [{ ...whole, body: 'x'.repeat(100_001) }, { body: [expect.stringContaining('Enter at most')] }],
    [
      { ...whole, user: 'x'.repeat(257), name: 'x'.repeat(257) },
      { user: expect.any(Array), name: expect.any(Array) },
    ],
    [{ ...whole, user: 5 }, { user: ['This must be text.'] }],
    [{ ...whole, body: ['x'] }, { body: ['This must be text.'] }],
    [{ ...whole, name: 'a\0b' }, { name: ['This must be text.'] }],
  ])('reports invalid fields', async (body, errors) => {
    const answer = await ask(body)
    expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 422, errors })
  })

  test('is sent with a body of a hundred thousand characters', async () => {
    expect((await ask({ ...whole, body: 'ü'.repeat(100_000) })).status).toBe(200)
  })

  test('is throttled per address', async () => {
    for (let turn = 1; turn <= 11; turn++) expect((await ask(whole)).status).toBe(200)
    const { status, headers } = await ask(whole)
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '2' })
  })
})

describe('without a support address', () => {
  const silent = useTestApp({ SUPPORT_EMAIL: undefined })

  test('the form reports it after validating the other fields', async () => {
    const body = { email: 'a@b.test', summary: 's', body: 'b' }
    const answer = await silent().call('POST /api/v4/support/request', { body })
    expect(answer).toMatchObject({
      status: 500,
      body: { status: 'error', message: 'Your message couldn’t be sent. Try again later.' },
    })
    expect((await silent().call('POST /api/v4/support/request', { body: {} })).status).toBe(422)
    expect(await silent().mails()).toEqual([])
  })
})
