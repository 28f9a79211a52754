// @vitest-environment happy-dom
import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { login } from '../../domain/sign-in/login.ts'
import { activateLanguage } from '../../i18n/i18n.ts'
import { closeToast, toastStore } from '../../ui/toasts/store.ts'
import { errorPage } from '../error-page-store.ts'
import { rememberTarget, setNavigator } from '../navigation/navigation.ts'
import { auth } from './auth.ts'
import { logout, startedSession, startSession, unlock } from './session.ts'
import { readTokens, storeTokens } from './tokens.ts'
import { testUser } from './user.test-data.ts'

const go = vi.fn()
const leaveFor = vi.fn()
const recheck = vi.fn()
const server = vi.fn<(url: string) => Response | Promise<Response>>()
let needsLogin = false

const tokens = {
  access_token: 'access',
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_in: 3600,
} as const

function session(change: Partial<SessionResponse> = {}): SessionResponse {
  return { ...testUser(), status: 'success', userStatus: 3, ...tokens, ...change }
}

const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

/** Simulates a storage event caused by another tab. */
function fromOtherTab(key: string, newValue: string | null): void {
  if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
}

beforeAll(async () => {
  await activateLanguage('en')
  localStorage.clear()
  await startSession()
})
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', server)
  setNavigator({ go, leaveFor, recheck, location: () => '/users?page=2', needsLogin: () => needsLogin })
  localStorage.clear()
  sessionStorage.clear()
  auth.set({ loggedIn: false })
})
afterEach(() => {
  for (const { id } of toastStore.get()) closeToast(id)
  errorPage.set(undefined)
  needsLogin = false
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

test('signing in stores the tokens and the user', async () => {
  server.mockReturnValue(answer(session()))
  await login({ email: 'jane@acme.test', password: 'x' })
  expect(readTokens()).toMatchObject({ access: 'access', refresh: 'refresh' })
  expect(auth.get()).toMatchObject({ loggedIn: true, user: { email: 'jane@acme.test', status: 3 } })
  expect(go).toHaveBeenCalledWith('/dashboard')
})

test('a failed sign-in changes nothing', async () => {
  server.mockReturnValue(answer({ status: 'error', message: 'No.' }, 401))
  await expect(login({ email: 'a', password: 'b' })).rejects.toMatchObject({ status: 401, message: 'No.' })
  expect(auth.get()).toEqual({ loggedIn: false })
  expect(go).not.toHaveBeenCalled()
})

test('goes to the stored target, otherwise to the route in the response, or stays if told to', () => {
  rememberTarget('/user/5?tab=settings')
  startedSession(session({ redirect: 'wallet' }))
  startedSession(session({ redirect: 'wallet' }))
  startedSession(session({ redirect: 'no-such-route' }))
  startedSession(session(), { stay: true })
  expect(go.mock.calls).toEqual([['/user/5?tab=settings'], ['/wallet'], ['/dashboard']])
})

test("signing out shows the server's message, clears everything and shows the sign-in page", async () => {
  startedSession(session(), { stay: true })
  server.mockReturnValue(answer({ status: 'success', message: 'Bye.' }))
  await logout()
  expect(toastStore.get().map(({ type, message }) => [type, message])).toEqual([['success', 'Bye.']])
  expect(localStorage.length).toBe(0)
  expect(auth.get()).toEqual({ loggedIn: false })
  expect(leaveFor).toHaveBeenCalledWith('/login')
})

test('signing out also ends a session the server no longer knows', async () => {
  startedSession(session(), { stay: true })
  server.mockReturnValue(answer({ status: 'error', message: 'Unauthenticated.' }, 401))
  await logout()
  expect(toastStore.get()).toEqual([])
  expect(readTokens()).toBeUndefined()
})

test('exchanges tokens a minute before they expire, repeatedly', async () => {
  startedSession(session(), { stay: true })
  server.mockImplementation(() => answer({ status: 'success', ...tokens, access_token: 'next' }))
  await vi.advanceTimersByTimeAsync(3_539_000)
  expect(server).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(server).toHaveBeenCalledTimes(1)
  expect(readTokens()?.access).toBe('next')
  expect(auth.get().user?.email).toBe('jane@acme.test')
  await vi.advanceTimersByTimeAsync(3_540_000)
  expect(server).toHaveBeenCalledTimes(2)
})

test('exchanges the tokens at once after the machine slept', async () => {
  startedSession(session(), { stay: true })
  server.mockImplementation(() => answer({ status: 'success', ...tokens, access_token: 'next' }))
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(readTokens()?.access).toBe('next')
})

test('a rejected exchange on a guarded screen leads to sign-in and back', async () => {
  startedSession(session(), { stay: true })
  needsLogin = true
  server.mockImplementation(() => answer({ status: 'error' }, 401))
  await vi.advanceTimersByTimeAsync(3_540_000)
  expect(leaveFor).toHaveBeenCalledWith('/login')
  go.mockClear()
  startedSession(session())
  expect(go).toHaveBeenCalledWith('/users?page=2')
})

test('on a public screen, the session ends silently', async () => {
  startedSession(session(), { stay: true })
  server.mockImplementation(() => answer({ status: 'error' }, 401))
  await vi.advanceTimersByTimeAsync(3_540_000)
  expect(auth.get()).toEqual({ loggedIn: false })
  expect(go).not.toHaveBeenCalled()
  expect(toastStore.get()).toEqual([])
})

test('follows a sign-out in another tab', () => {
  startedSession(session(), { stay: true })
  needsLogin = true
  fromOtherTab('token', null)
  expect(auth.get()).toEqual({ loggedIn: false })
  expect(leaveFor).toHaveBeenCalledWith('/login')
})

test('follows a sign-in in another tab', async () => {
  server.mockImplementation(() => answer(testUser()))
  storeTokens(tokens)
  fromOtherTab('sessionId', 'other')
  await vi.advanceTimersByTimeAsync(0)
  expect(auth.get()).toMatchObject({ loggedIn: true, user: { id: 1 } })
  expect(recheck).toHaveBeenCalledTimes(1)
})

test('unlocking opens the dashboard', () => {
  startedSession(session({ isLocked: true }), { stay: true })
  unlock()
  expect(auth.get().user?.isLocked).toBe(false)
  expect(go).toHaveBeenCalledWith('/dashboard')
})
