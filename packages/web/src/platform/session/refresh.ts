import { ApiError } from '../api/api-error.ts'
import { type Answer, request } from '../api/http.ts'
import { navigation } from '../navigation/navigation.ts'
import { auth, updateUser } from './auth.ts'
import { claimRefreshCall, clearTokens, readTokens, storeTokens, type Tokens } from './tokens.ts'

const lockName = 'gatehouse-tokens'
const retryDelays = [500, 1500, 4000]
/** Browsers hand localStorage to the processes of other tabs a little later. */
const settleTime = 100

let running: Promise<void> | undefined

/**
 * Exchanges the tokens for new ones, once at a time over all tabs. A tab that had to wait finds the tokens of the
 * winner and takes those. Throws the server's refusal (401) or the failure of the network.
 */
export function refreshTokens(): Promise<void> {
  running ??= exchange().finally(() => {
    running = undefined
  })
  return running
}

async function exchange(): Promise<void> {
  const before = readTokens()
  await withTokenLock(async (tokens) => {
    if (tokens.access !== before?.access) return
    if (claimRefreshCall('refresh') === 'info') await readSession(tokens)
    else await renew(tokens)
  })
}

/** Reads who is signed in and renews the tokens, as every start of the application does. */
export async function resumeSession(): Promise<Answer<'POST /api/auth/info'>> {
  return withTokenLock(async (tokens) => {
    if (claimRefreshCall('info') === 'info') return readSession(tokens)
    // a page was left while it renewed them: that is finished first
    const renewed = await renew(tokens)
    claimRefreshCall('info')
    return readSession(renewed)
  })
}

async function renew(tokens: Tokens): Promise<Tokens> {
  const answer = await repeatable(tokens, (headers) =>
    request('POST /api/auth/refresh', { body: { refresh_token: tokens.refresh }, headers }),
  )
  storeTokens(answer)
  if (answer.mustEnrol) requireEnrolment()
  return readTokens() ?? tokens
}

/** A second factor has become required meanwhile: the tokens are good for setting it up only. */
function requireEnrolment(): void {
  if (!auth.get().user || auth.get().user?.mustEnrol) return
  updateUser({ mustEnrol: true })
  navigation().recheck()
}

async function readSession(tokens: Tokens): Promise<Answer<'POST /api/auth/info'>> {
  const answer = await repeatable(tokens, (headers) =>
    request('POST /api/auth/info', {
      query: { refresh: 1 },
      body: { refresh_token: tokens.refresh },
      headers,
    }),
  )
  if ('access_token' in answer) storeTokens(answer)
  return answer
}

/** The header that carries a token. */
export function bearer(tokens: Tokens | undefined): Record<string, string> {
  return tokens ? { Authorization: `Bearer ${tokens.access}` } : {}
}

/** Forgets the tokens, but only if they are still the refused ones. */
export function dropTokens(refused: Tokens | undefined): boolean {
  if (readTokens()?.access !== refused?.access) return false
  clearTokens()
  return true
}

/**
 * A refresh token works once. The answer may be lost on the way, or the page be left before it arrives, so the call
 * is repeated under the same key and the server answers as it did the first time. The access token stays at home: it
 * dies with the first answer, and then the call would no longer be the same.
 */
async function repeatable<T>(
  { refreshKey }: Tokens,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const headers = { 'Idempotency-Key': refreshKey || crypto.randomUUID() }
  for (const delay of retryDelays) {
    try {
      return await send(headers)
    } catch (error) {
      if (!(error instanceof ApiError) || !isUndecided(error)) throw error
      await pause(delay)
    }
  }
  return send(headers)
}

/** Nothing arrived, or the call that the page before began is still under way. */
function isUndecided({ status }: ApiError): boolean {
  return status === 0 || status === 409
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

async function withTokenLock<T>(task: (tokens: Tokens) => Promise<T>): Promise<T> {
  const run = async () => {
    const tokens = readTokens()
    if (!tokens) throw new ApiError('', { status: 401 })
    return task(tokens)
  }
  // Web Locks exist on secure origins only.
  if (!navigator.locks) return run()
  return new Promise((resolve, reject) => {
    void navigator.locks.request(lockName, async () => {
      await run().then(resolve, reject)
      await pause(settleTime)
    })
  })
}
