import { ApiError } from './api-error.ts'
import { type Answer, request } from './http.ts'
import { clearTokens, readTokens, storeTokens, type Tokens } from './tokens.ts'

const lockName = 'gatehouse-tokens'
const retryDelays = [500, 1500, 4000]

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
    storeTokens(
      await repeatable((headers) =>
        request('POST /api/auth/refresh', {
          body: { refresh_token: tokens.refresh },
          headers: { ...bearer(tokens), ...headers },
        }),
      ),
    )
  })
}

/** Reads who is signed in and renews the tokens, as every start of the application does. */
export async function resumeSession(): Promise<Answer<'POST /api/auth/info'>> {
  return withTokenLock(async (tokens) => {
    const answer = await repeatable((headers) =>
      request('POST /api/auth/info', {
        query: { refresh: 1 },
        body: { refresh_token: tokens.refresh },
        headers: { ...bearer(tokens), ...headers },
      }),
    )
    if ('access_token' in answer) storeTokens(answer)
    return answer
  })
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
 * A refresh token works once. The answer may be lost on the way, so the call is repeated under the same key and the
 * server answers as it did the first time.
 */
async function repeatable<T>(send: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  for (const delay of retryDelays) {
    try {
      return await send(headers)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
  return send(headers)
}

async function withTokenLock<T>(task: (tokens: Tokens) => Promise<T>): Promise<T> {
  const run = async () => {
    const tokens = readTokens()
    if (!tokens) throw new ApiError('', { status: 401 })
    return task(tokens)
  }
  // Web Locks exist on secure origins only.
  return navigator.locks ? navigator.locks.request(lockName, run) : run()
}
