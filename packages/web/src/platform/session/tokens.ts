/**
 * Tokens of the session, shared by all tabs through localStorage: `token` and `refreshToken` are the
 * product's names; `tokenExpires` and `sessionId` let tabs follow each other, `refreshKey` and `refreshCall`
 * let any tab retry an exchange whose response was lost.
 */
export interface Tokens {
  access: string
  refresh: string
  /** Idempotency key of all exchanges of the refresh token. */
  refreshKey: string
}

interface TokenAnswer {
  access_token: string
  refresh_token: string
  expires_in: number
}

const refreshMargin = 60

export function readTokens(): Tokens | undefined {
  const access = localStorage.getItem('token')
  if (!access) return undefined
  const item = (name: string) => localStorage.getItem(name) ?? ''
  return { access, refresh: item('refreshToken'), refreshKey: item('refreshKey') }
}

/** The two calls that exchange a refresh token. */
export type RefreshCall = 'refresh' | 'info'

/**
 * Returns the call to exchange the current refresh token with: the one first tried by any tab, as only that
 * one is answered again; otherwise `wanted`.
 */
export function claimRefreshCall(wanted: RefreshCall): RefreshCall {
  const tried = localStorage.getItem('refreshCall')
  if (tried === 'refresh' || tried === 'info') return tried
  localStorage.setItem('refreshCall', wanted)
  return wanted
}

/** Stores the tokens of a response and when to exchange them. */
export function storeTokens(answer: TokenAnswer): void {
  localStorage.setItem('tokenExpires', String(Date.now() + refreshDelay(answer.expires_in) * 1000))
  localStorage.setItem('refreshToken', answer.refresh_token)
  localStorage.setItem('refreshKey', crypto.randomUUID())
  localStorage.removeItem('refreshCall')
  // Last, because it notifies the other tabs.
  localStorage.setItem('token', answer.access_token)
}

export function clearTokens(): void {
  const keys = ['token', 'refreshToken', 'refreshKey', 'refreshCall', 'tokenExpires', 'sessionId']
  for (const key of keys) localStorage.removeItem(key)
}

/**
 * Returns the seconds until tokens should be exchanged: a minute before they expire, if they live longer
 * than that.
 */
export function refreshDelay(expiresIn: number): number {
  return expiresIn > refreshMargin ? expiresIn - refreshMargin : expiresIn
}

/** Returns when to exchange the current tokens, in milliseconds since the epoch. */
export function refreshTime(): number {
  return Number(localStorage.getItem('tokenExpires') ?? 0)
}

/** Marks the start of a session, so that other tabs notice that the user may have changed. */
export function markSession(): void {
  localStorage.setItem('sessionId', crypto.randomUUID())
}
