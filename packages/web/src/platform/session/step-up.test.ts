// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { closeToast, toastStore } from '../../ui/toasts/store.ts'
import { call } from '../api/api.ts'
import { ApiError } from '../api/api-error.ts'
import { type StepUpRequest, stepUpRequest } from './step-up.ts'
import { storeTokens } from './tokens.ts'

const server = vi.fn<(url: string, init: RequestInit) => Response>()
const params = { id: '7' }
const remove = () => call('DELETE /api/v4/factors/totp/{id}', { params })
const texts = () => toastStore.get().map(({ type, message }) => [type, message])
const ok = () => new Response('{"status":"success","message":"Removed."}')
const refusal = () =>
  new Response(
    JSON.stringify({ status: 'error', message: 'Prove it.', stepUp: true, factors: ['totp', 'recovery'] }),
    { status: 403 },
  )

let asked: StepUpRequest[] = []
let isProved = false

function prove(): void {
  isProved = true
  asked.at(-1)?.onProved()
}

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  vi.stubGlobal('fetch', server)
  localStorage.clear()
  storeTokens({ access_token: 'a', refresh_token: 'r', expires_in: 3600 })
  asked = []
  isProved = false
  server.mockImplementation(() => (isProved ? ok() : refusal()))
})
stepUpRequest.subscribe(() => {
  const request = stepUpRequest.get()
  if (request) asked.push(request)
})
afterEach(() => {
  for (const { id } of toastStore.get()) closeToast(id)
  server.mockReset()
  vi.unstubAllGlobals()
})

test('repeats a call after reauthentication without reporting the refusal', async () => {
  const removal = remove()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  prove()
  await expect(removal).resolves.toMatchObject({ message: 'Removed.' })
  expect(server).toHaveBeenCalledTimes(2)
  expect(texts()).toEqual([])
  expect(stepUpRequest.get()).toBeUndefined()
})

test('the repeated call is identical, including its idempotency key', async () => {
  const headers = { 'Idempotency-Key': 'one-and-the-same' }
  const removal = call('DELETE /api/v4/factors/totp/{id}', { params, headers })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  prove()
  await removal
  expect(server.mock.calls[1]).toEqual(server.mock.calls[0])
  expect(server.mock.calls[0]?.[1].headers).toMatchObject(headers)
})

test('concurrent calls share one prompt', async () => {
  const both = Promise.all([remove(), remove()])
  await vi.waitFor(() => expect(server).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  prove()
  await both
  expect(asked).toHaveLength(1)
  expect(server).toHaveBeenCalledTimes(4)
})

test("a refusal that arrives after reauthentication doesn't prompt again", async () => {
  let answerLate = (_response: Response) => {}
  const late = new Promise<Response>((resolve) => {
    answerLate = resolve
  })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    isProved ? ok() : (waiting.shift() ?? server(url, init)),
  )
  const waiting = [late]
  const slow = remove()
  const quick = remove()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  prove()
  await quick
  answerLate(refusal())
  await slow
  expect(asked).toHaveLength(1)
})

test('cancelling is reported as such and repeats no call', async () => {
  const removal = remove()
  const outcome = expect(removal).rejects.toMatchObject({ status: 403, calm: true })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  asked[0]?.onRefused(new ApiError('Nothing was changed.', { status: 403, calm: true }))
  await outcome
  expect(server).toHaveBeenCalledTimes(1)
  expect(texts()).toEqual([['info', 'Nothing was changed.']])
})

test('reports a second refusal like any other, without prompting in a loop', async () => {
  const removal = remove()
  const outcome = expect(removal).rejects.toMatchObject({ status: 403, stepUp: true })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  asked[0]?.onProved()
  await outcome
  expect(asked).toHaveLength(1)
  expect(texts()).toEqual([['error', 'Prove it.']])
})

test("any other 403 doesn't prompt", async () => {
  server.mockImplementation(() => new Response('{"status":"error","message":"No."}', { status: 403 }))
  await expect(remove()).rejects.toMatchObject({ status: 403 })
  expect(asked).toEqual([])
})
