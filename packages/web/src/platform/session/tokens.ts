/**
 * The tokens of the session, shared by all tabs through localStorage: `token` and `refreshToken` are the names of
 * the product; `tokenExpires` and `sessionId` let a tab follow what another one did, `refreshKey` and `refreshCall` let
 * any of them repeat an exchange whose answer was lost.
 */
export interface Tokens {
  access: string
  refresh: string
  /** Under this key the refresh token is exchanged, however often that is asked for. */
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
 * The call by which the present refresh token is exchanged: the one that was tried first, by whichever tab, since only
 * that one is answered again; `wanted` when none was.
 */
export function claimRefreshCall(wanted: RefreshCall): RefreshCall {
  const tried = localStorage.getItem('refreshCall')
  if (tried === 'refresh' || tried === 'info') return tried
  localStorage.setItem('refreshCall', wanted)
  return wanted
}

/** Keeps the tokens of an answer and the moment at which they should be exchanged. */
export function storeTokens(answer: TokenAnswer): void {
  localStorage.setItem('tokenExpires', String(Date.now() + refreshDelay(answer.expires_in) * 1000))
  localStorage.setItem('refreshToken', answer.refresh_token)
  localStorage.setItem('refreshKey', crypto.randomUUID())
  localStorage.removeItem('refreshCall')
  // Last, because the other tabs wake up on it.
  localStorage.setItem('token', answer.access_token)
}

export function clearTokens(): void {
  const keys = ['token', 'refreshToken', 'refreshKey', 'refreshCall', 'tokenExpires', 'sessionId']
  for (const key of keys) localStorage.removeItem(key)
}

/** Seconds until tokens should be exchanged: a minute before they expire, if they live longer than a minute. */
export function refreshDelay(expiresIn: number): number {
  return expiresIn > refreshMargin ? expiresIn - refreshMargin : expiresIn
}

/** When the current tokens should be exchanged, in milliseconds of the epoch. */
export function refreshTime(): number {
  return Number(localStorage.getItem('tokenExpires') ?? 0)
}

/** Marks the beginning of a session, so that other tabs notice that somebody else may have signed in. */
export function markSession(): void {
  localStorage.setItem('sessionId', crypto.randomUUID())
}
