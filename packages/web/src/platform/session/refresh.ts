import { ApiError } from '../api/api-error.ts'
import { type Answer, request } from '../api/http.ts'
import { navigation } from '../navigation/navigation.ts'
import { auth, updateUser } from './auth.ts'
import { claimRefreshCall, clearTokens, readTokens, storeTokens, type Tokens } from './tokens.ts'

const lockName = 'gatehouse-tokens'
const retryDelays = [500, 1500, 4000]
/** Browsers propagate localStorage to other tabs' processes with a delay. */
const settleTime = 100

let running: Promise<void> | undefined

/**
 * Exchanges the tokens for new ones, one exchange at a time across all tabs. A tab that had to wait finds
 * and uses the winner's tokens. Throws if the server rejects (401) or the network fails.
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

/** Loads the signed-in user and renews the tokens, on every start of the application. */
export async function resumeSession(): Promise<Answer<'POST /api/auth/info'>> {
  return withTokenLock(async (tokens) => {
    if (claimRefreshCall('info') === 'info') return readSession(tokens)
    // the page was left during a renewal: complete it first
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

/** A second factor is now required: the tokens are only valid for its setup. */
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

/** Authorization header for a token. */
export function bearer(tokens: Tokens | undefined): Record<string, string> {
  return tokens ? { Authorization: `Bearer ${tokens.access}` } : {}
}

/** Clears the tokens, but only if they are still the rejected ones. */
export function dropTokens(refused: Tokens | undefined): boolean {
  if (readTokens()?.access !== refused?.access) return false
  clearTokens()
  return true
}

/**
 * A refresh token can be used only once. The response may be lost, or the page left before it arrives, so
 * the call is retried under the same key and the server repeats its first response. The access token isn't
 * sent: it becomes invalid with the first response, which would change the call.
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

/** Whether no response arrived, or the call started before a reload is still in progress. */
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
