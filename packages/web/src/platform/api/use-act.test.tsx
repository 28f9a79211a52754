// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeToast, toastStore } from '../../ui/toasts/store.ts'
import { everything, type Reread, useAct } from './use-act.ts'

const server = vi.fn<() => Response>()
const sessions = ['GET /api/v4/sessions', null]
const consents = ['GET /api/v4/consents', null]
const params = { id: '1' }

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
  return { act: result.current, stale }
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

test('a refusal is thrown, and nothing is read again', async () => {
  server.mockReturnValue(Response.json({ status: 'error', message: 'No.' }, { status: 403 }))
  const { act, stale } = renderAct(everything)
  const onDone = vi.fn()
  await expect(act({ params }, onDone)).rejects.toMatchObject({ status: 403 })
  expect(onDone).not.toHaveBeenCalled()
  expect(stale()).toEqual([false, false])
})
