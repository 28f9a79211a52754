// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { closeToast, toastStore } from '../../ui/toasts/store.ts'
import { call } from './api.ts'
import { everything, type Reread, useAct } from './use-act.ts'

const server = vi.fn<() => Response>()
const sessions = ['GET /api/v4/sessions', null]
const consents = ['GET /api/v4/consents', null]
const params = { id: '1' }

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('words')
})
beforeEach(() => vi.stubGlobal('fetch', async () => server()))
afterEach(() => {
  for (const { id } of toastStore.get()) closeToast(id)
  vi.unstubAllGlobals()
})

function renderAct(reread?: Reread) {
  const client = new QueryClient()
  client.setQueryData(sessions, [])
  client.setQueryData(consents, [])
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useAct('DELETE /api/v4/sessions/{id}', reread), { wrapper })
  const stale = () => [sessions, consents].map((key) => client.getQueryState(key)?.isInvalidated)
  const refresh = () => {
    client.setQueryData(sessions, [])
    client.setQueryData(consents, [])
  }
  return { act: result.current, stale, refresh }
}

test.each<[string, Reread | undefined, boolean[]]>([
  ['nothing', undefined, [false, false]],
  ['the queries of a route', ['GET /api/v4/sessions'], [true, false]],
  ['a query by its key', [consents], [false, true]],
  ['everything', everything, [true, true]],
])('shows the words of the server and reads again: %s', async (_, reread, expected) => {
  server.mockReturnValue(Response.json({ status: 'success', message: 'Session ended.' }))
  const { act, stale } = renderAct(reread)
  const seen: unknown[] = []
  await act({ params }, () =>
    seen.push(
      toastStore.get().map(({ message }) => message),
      stale(),
    ),
  )
  expect(seen).toEqual([['Session ended.'], [false, false]])
  expect(stale()).toEqual(expected)
})

test('throws on an error response and refetches nothing', async () => {
  server.mockReturnValue(Response.json({ status: 'error', message: 'No.' }, { status: 403 }))
  const { act, stale } = renderAct(everything)
  const onDone = vi.fn()
  await expect(act({ params }, onDone)).rejects.toMatchObject({ status: 403 })
  expect(onDone).not.toHaveBeenCalled()
  expect(stale()).toEqual([false, false])
})

const messages = () => toastStore.get().map(({ type, message }) => `${type}: ${message}`)

/** Does an act that can be taken back, and presses the button that does it. */
async function undoWith(undo: () => Promise<{ message: string }>) {
  server.mockReturnValue(Response.json({ status: 'success', message: 'Session ended.' }))
  const { act, stale, refresh } = renderAct(['GET /api/v4/sessions'])
  await act({ params }, { undo })
  refresh()
  const button = toastStore.get()[0]?.actions?.[0]
  expect(button?.label).toBe('Undo')
  button?.onPress()
  return { stale }
}

test('an act that can be taken back offers it once, says how that went and reads again', async () => {
  const undo = vi.fn(async () => ({ message: 'Session is back.' }))
  const { stale } = await undoWith(undo)
  await vi.waitFor(() => expect(messages()).toEqual(['success: Session is back.']))
  await vi.waitFor(() => expect(stale()).toEqual([true, false]))
  expect(undo).toHaveBeenCalledTimes(1)
})

test('an undo that fails shows why, and reads again', async () => {
  const { stale } = await undoWith(() => {
    server.mockReturnValue(Response.json({ status: 'error', message: 'Too late.' }, { status: 403 }))
    return call('POST /api/v4/sessions/revoke-others', { body: {} })
  })
  await vi.waitFor(() => expect(messages()).toEqual(['error: Too late.']))
  await vi.waitFor(() => expect(stale()).toEqual([true, false]))
})

test('an undo that is refused for a field says the reason in the toast', async () => {
  const body = { status: 'error', message: 'No.', errors: { email: 'Somebody has this address.' } }
  await undoWith(() => {
    server.mockReturnValue(Response.json(body, { status: 422 }))
    return call('POST /api/v4/sessions/revoke-others', { body: {} })
  })
  await vi.waitFor(() =>
    expect(messages()).toEqual(['error: Form validation error. Somebody has this address.']),
  )
})

test('an act without a way back offers none', async () => {
  server.mockReturnValue(Response.json({ status: 'success', message: 'Session ended.' }))
  await renderAct().act({ params })
  expect(toastStore.get()[0]?.actions).toBeUndefined()
})
