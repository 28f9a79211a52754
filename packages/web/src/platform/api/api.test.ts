// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { closeToast, toastStore } from '../../ui/toasts/store.ts'
import { config } from '../config.ts'
import { call, callFile } from './api.ts'
import { callUrl } from './http.ts'

const server =
  vi.fn<(url: string, init: { headers: Record<string, string>; method: string }) => Promise<Response>>()
const body = { email: 'a@b.test', summary: 's', body: 'b' }
const write = () => call('POST /api/v4/support/request', { body })
const texts = () => toastStore.get().map(({ type, message }) => [type, message])

function refuse(status: number, answer: unknown, headers: Record<string, string> = {}, statusText = '') {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  server.mockResolvedValue(new Response(text, { status, statusText, headers }))
}

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  vi.stubGlobal('fetch', server)
  localStorage.clear()
})
afterEach(() => {
  for (const { id } of toastStore.get()) closeToast(id)
  server.mockReset()
  vi.unstubAllGlobals()
  config['app.installation_url'] = ''
})

test('every call sends the default headers', async () => {
  localStorage.setItem('token', 'secret')
  // biome-ignore lint/suspicious/noDocumentCookie: the application reads this cookie
  document.cookie = 'XSRF-TOKEN=a%3Db'
  server.mockResolvedValue(new Response('{"status":"success","message":"Thanks"}'))
  await expect(write()).resolves.toEqual({ status: 'success', message: 'Thanks' })
  const [url, { method, headers }] = server.mock.calls[0] ?? ['', { method: '', headers: {} }]
  expect([method, url]).toEqual(['POST', '/api/v4/support/request'])
  expect(headers).toMatchObject({
    'X-Requested-With': 'XMLHttpRequest',
    'Accept-Language': 'en',
    Authorization: 'Bearer secret',
    'X-XSRF-TOKEN': 'a=b',
    'Content-Type': 'application/json',
  })
})

test.each([
  ['attachment; filename="transactions.csv"', 'transactions.csv'],
  ['attachment; filename=chain.jsonl', 'chain.jsonl'],
  [String.raw`attachment; filename="a \"b\".pdf"`, 'a "b".pdf'],
  [`attachment; filename="Beleg.pdf"; filename*=UTF-8''Beleg%20M%C3%A4rz.pdf`, 'Beleg März.pdf'],
  [`attachment; filename="Beleg.pdf"; filename*=UTF-8''%E0%A4%A`, 'Beleg.pdf'],
  ['attachment', 'unknown'],
  [undefined, 'unknown'],
])('a file that comes as %s is called %s', async (disposition, name) => {
  const headers = disposition === undefined ? undefined : { 'Content-Disposition': disposition }
  server.mockResolvedValue(new Response('content', { headers }))
  const file = await callFile('GET /api/v4/wallets/{id}/chain', { params: { id: 'w' } })
  expect([file.name, await file.content.text()]).toEqual([name, 'content'])
})

test('reports a failed download like any other call', async () => {
  refuse(404, { status: 'error', message: 'No such month' })
  const params = { id: 'w', period: '2026-10' }
  await expect(callFile('GET /api/v4/wallets/{id}/receipts/{period}', { params })).rejects.toThrow()
  expect(texts()).toHaveLength(1)
})

test('builds URLs from base path, parameters and query', () => {
  config['app.installation_url'] = 'https://portal.test/account/'
  expect(callUrl('/api/v4/users/{id}/status', { id: 'a/b' }, { refresh: 1, page: null })).toBe(
    '/account/api/v4/users/a%2Fb/status?refresh=1',
  )
  expect(callUrl('/content/faq/{*}', { '*': '/signup/é' })).toBe('/account/content/faq/signup/%C3%A9')
})

test("a tenant can't override the base path", () => {
  config['app.url'] = 'https://portal.test/nowhere'
  expect(callUrl('/api/auth/login')).toBe('/api/auth/login')
})

test('reports field errors with the generic form message', async () => {
  refuse(422, { status: 'error', message: 'Invalid', errors: { email: ['Bad.'] } })
  await expect(write()).rejects.toMatchObject({ status: 422, errors: { email: ['Bad.'] } })
  expect(texts()).toEqual([['error', 'Form validation error']])
})

test.each([
  ['the message of the server', 403, { status: 'error', message: 'Not yours.' }, 'Forbidden', 'Not yours.'],
  ['the status text', 500, '<html>', 'Internal Server Error', 'Internal Server Error'],
  ['the name of the status', 405, '', '', 'Method not allowed'],
  ['a last resort', 418, '', '', 'Server error'],
])('other errors are told by %s', async (_, status, answer, statusText, message) => {
  refuse(status, answer, {}, statusText)
  await expect(write()).rejects.toMatchObject({ status })
  expect(texts()).toEqual([['error', message]])
})

test('shows how long to wait after too many attempts', async () => {
  refuse(429, { status: 'error', message: 'Too many' }, { 'Retry-After': '42', 'X-Request-Id': 'req-1' })
  await expect(write()).rejects.toMatchObject({ retryAfter: 42, requestId: 'req-1' })
  expect(texts()).toEqual([['error', 'Too many attempts. Try again in 42 seconds.']])
})

test('is silent if told to ignore errors', async () => {
  refuse(500, '')
  await expect(call('POST /api/v4/support/request', { body, ignoreErrors: true })).rejects.toThrow()
  expect(texts()).toEqual([])
})

test('is silent if we cancelled the call', async () => {
  server.mockRejectedValue(new DOMException('gone', 'AbortError'))
  await expect(write()).rejects.toThrow('gone')
  expect(texts()).toEqual([])
})
