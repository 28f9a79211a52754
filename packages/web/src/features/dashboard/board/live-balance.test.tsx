// @vitest-environment happy-dom
import { focusManager } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { lightPoll } from '../../../domain/payments/payment-poll.ts'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../../platform/api/query.tsx'
import { auth, useUser } from '../../../platform/session/auth.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { Board } from './board.tsx'

let balance = 0
let hasPending = false
const asked: string[] = []

const user = () => {
  const one = testUser(['wallets'])
  return { ...one, wallets: one.wallets.map((wallet) => ({ ...wallet, balance })), accounts: [] }
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('dashboard')
})
beforeEach(() => {
  ;[balance, hasPending] = [0, false]
  asked.length = 0
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://localhost').pathname)
    return Response.json(url.includes('has-pending') ? { status: 'success', hasPending } : user())
  })
  auth.set({ loggedIn: true, user: user() })
})
afterEach(() => {
  focusManager.setFocused(undefined)
  vi.useRealTimers()
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

function Sample() {
  const shown = useUser()
  return shown ? <Board user={shown} /> : null
}

const show = () =>
  renderRouted(() => (
    <QueryScope>
      <Sample />
    </QueryScope>
  ))
const wait = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
const figures = () => (document.querySelector('.tile-figure')?.textContent ?? '').replaceAll(/\s/gu, ' ')

test('the dashboard balance follows a pending payment', async () => {
  hasPending = true
  await show()
  await screen.findByText(/CHF\s0\.00/)
  await waitFor(() => expect(asked).toEqual(['/api/v4/payments/has-pending']))
  balance = 5000
  hasPending = false
  await wait(lightPoll)
  await waitFor(() => expect(figures()).toBe('CHF 50.00'))
  const calls = asked.length
  await wait(4 * lightPoll)
  expect(asked).toHaveLength(calls)
})

test('refetches the balance when the page regains focus', async () => {
  await show()
  await screen.findByText(/CHF\s0\.00/)
  await waitFor(() => expect(asked).toHaveLength(1))
  balance = -700
  act(() => {
    focusManager.setFocused(false)
    focusManager.setFocused(true)
  })
  await waitFor(() => expect(figures()).toBe('− CHF 7.00'))
})
