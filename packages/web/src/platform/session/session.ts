import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import { t } from '../../i18n/i18n.ts'
import { onLanguageChange } from '../../i18n/switch-language.ts'
import { dropForms, keepForms } from '../../ui/form/kept-forms.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { call, onSessionLost } from '../api/api.ts'
import { ApiError } from '../api/api-error.ts'
import { type Answer, request } from '../api/http.ts'
import { reportError } from '../api/report-error.ts'
import { basePath } from '../config.ts'
import { showErrorPage } from '../error-page-store.ts'
import { navigation, rememberTarget, takeTarget } from '../navigation/navigation.ts'
import { auth, type UserInfo, updateUser } from './auth.ts'
import { forgetRecent } from './recent.ts'
import { bearer, dropTokens, refreshTokens, resumeSession } from './refresh.ts'
import { adoptTenant } from './tenant-page.ts'
import { clearTokens, markSession, readTokens, refreshTime, storeTokens } from './tokens.ts'

export interface StartOptions {
  /** Stays on the current screen, such as a meeting that requires sign-in. */
  stay?: boolean
}

/** Routes by the names used in sign-in responses. */
const redirects: Record<string, string> = {
  dashboard: '/dashboard',
  'payment-status': '/payment/status',
  settings: '/settings',
  wallet: '/wallet',
}

const longestTimer = 2 ** 31 - 1
const retryDelay = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Loads the signed-in user before the first screen is shown, and follows other tabs from then on. */
export async function startSession(): Promise<void> {
  window.addEventListener('storage', (event) => followOtherTab(event))
  // Timers stop while a machine sleeps.
  document.addEventListener('visibilitychange', () => document.hidden || armTimer())
  window.addEventListener('online', () => armTimer())
  onSessionLost(() => leave())
  onLanguageChange(() => void reloadUser())
  if (readTokens()) await resume()
}

async function resume(): Promise<void> {
  const tokens = readTokens()
  try {
    const user = toUser(await resumeSession())
    adoptTenant(user.tenant_id)
    enter(user)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      if (dropTokens(tokens)) auth.set({ loggedIn: false })
    } else {
      showErrorPage(error)
    }
  }
}

/**
 * Starts a session from the server's response after sign-in, sign-up or password reset. Goes to the stored
 * target, otherwise to the route in the response, otherwise to the dashboard; with a full page load if the
 * user's tenant has a different theme.
 */
export function startedSession(answer: SessionResponse, { stay = false }: StartOptions = {}): void {
  storeTokens(answer)
  markSession()
  enter(toUser(answer))
  const isOtherPage = adoptTenant(answer.tenant_id)
  if (stay) return
  const target = takeTarget() ?? redirects[answer.redirect ?? ''] ?? '/dashboard'
  if (isOtherPage) window.location.assign(basePath() + target)
  else navigation().go(target)
}

/**
 * Signs out here and, through localStorage, in all other tabs; then shows the sign-in page, unless told to
 * stay.
 */
export async function logout({ stay = false }: StartOptions = {}): Promise<void> {
  try {
    const { message } = await request('POST /api/auth/logout', { headers: bearer(readTokens()) })
    toasts.success(message)
  } catch (error) {
    const wasOver = error instanceof ApiError && error.status === 401
    if (!wasOver) reportError(error)
  } finally {
    takeTarget()
    clearTokens()
    dropForms()
    const id = auth.get().user?.id
    if (id !== undefined) forgetRecent(id)
    end()
    if (!stay) navigation().leaveFor('/login')
  }
}

/** Unlocks the account. */
export function unlock(): void {
  updateUser({ isLocked: false })
  navigation().go('/dashboard')
}

/** Refetches the signed-in user, for example in another language or after a factor was set up. */
export async function reloadUser(): Promise<void> {
  if (!auth.get().loggedIn) return
  const user = await call('GET /api/auth/info', { ignoreErrors: true }).catch(() => undefined)
  const { isStranger } = auth.get().user ?? {}
  if (user && auth.get().loggedIn) auth.set({ loggedIn: true, user: { ...user, isStranger } })
}

function enter(user: UserInfo): void {
  dropForms(user.id)
  auth.set({ loggedIn: true, user })
  armTimer()
}

function end(): void {
  clearTimeout(timer)
  auth.set({ loggedIn: false })
}

/** Handles the unrequested end of a session. */
function leave(): void {
  askAgain(t('session.ended'))
}

/** Goes to sign-in and back; the same user finds their input again. */
function askAgain(reason: string, isSaid = false): void {
  const id = auth.get().user?.id
  if (id !== undefined) keepForms(id)
  end()
  const isOpen = !navigation().needsLogin()
  if (isSaid || !isOpen) toasts.info(reason)
  if (isOpen) return
  rememberTarget(navigation().location())
  navigation().leaveFor('/login')
}

function armTimer(delay = refreshTime() - Date.now()): void {
  clearTimeout(timer)
  if (!auth.get().loggedIn) return
  timer = setTimeout(() => void refresh(), Math.min(Math.max(delay, 0), longestTimer))
}

async function refresh(): Promise<void> {
  const tokens = readTokens()
  if (refreshTime() > Date.now()) return armTimer()
  try {
    await refreshTokens()
    armTimer()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      if (dropTokens(tokens)) leave()
    } else {
      armTimer(retryDelay)
    }
  }
}

function followOtherTab({ key, newValue }: StorageEvent): void {
  // A null key means that storage was cleared.
  if ((key === 'token' || key === null) && !readTokens()) {
    if (!auth.get().loggedIn) return
    askAgain(t('session.elsewhere'), true)
  } else if (key === 'sessionId' && newValue) {
    void joinSession()
  } else if (key === 'token') {
    armTimer()
  }
}

/** Someone signed in on another tab, possibly as another user. */
async function joinSession(): Promise<void> {
  if (!readTokens()) return
  auth.update(({ user }) => ({ loggedIn: true, user }))
  const user = await call('GET /api/auth/info', { ignoreErrors: true }).catch(() => undefined)
  if (!user) return
  const changed = auth.get().user?.id !== user.id
  enter(user)
  if (changed) navigation().recheck()
}

function toUser(answer: SessionResponse | Answer<'POST /api/auth/info'>): UserInfo {
  return 'userStatus' in answer ? { ...answer, status: answer.userStatus } : (answer as UserInfo) // bare without tokens
}
