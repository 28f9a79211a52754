// @vitest-environment happy-dom
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../i18n/i18n.ts'
import { keepSession } from './device-session.ts'
import { History } from './history.tsx'

const read = vi.fn(() => Promise.resolve(Response.json([])))
const one = [{ id: 'a' }]

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('companionapp')
})
beforeEach(() => {
  vi.stubGlobal('fetch', read)
  keepSession({ access_token: 'access', refresh_token: 'refresh' })
})
afterEach(() => {
  cleanup()
  read.mockClear()
  vi.unstubAllGlobals()
})

async function shown(calls: number) {
  await waitFor(() => expect(read).toHaveBeenCalledTimes(calls))
}

test('the history is reloaded when a decision and the end of the wait coincide', async () => {
  const { rerender } = render(<History decisions={0} isOffline={false} waiting={one} />)
  await shown(1)
  rerender(<History decisions={1} isOffline={false} waiting={[]} />)
  await shown(2)
})

test('the history is not loaded while offline, and loaded once back online', async () => {
  const { rerender } = render(<History decisions={0} isOffline waiting={[]} />)
  rerender(<History decisions={1} isOffline waiting={[]} />)
  expect(read).not.toHaveBeenCalled()
  rerender(<History decisions={1} isOffline={false} waiting={[]} />)
  await shown(1)
})
