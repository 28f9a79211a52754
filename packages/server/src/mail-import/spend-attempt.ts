import type { Throttle } from '../platform/throttle/throttle.ts'

/** Attempts at servers and passwords that a person makes; far fewer than guessing or scanning needs. */
const perUser = { free: 20, firstWait: 10, longestWait: 3600 }
const perLogin = { free: 10, firstWait: 10, longestWait: 3600 }
const perNetwork = { free: 60, firstWait: 10, longestWait: 3600 }

export interface ImportAttempt {
  readonly userId: number
  readonly ip: string | undefined
  readonly server: { readonly host: string; readonly login: string }
}

/** Counts an attempt to sign in to an old server: by user, by the account there, and by network. Throws TooManyRequests. */
export async function spendAttempt(throttle: Throttle, { userId, ip, server }: ImportAttempt): Promise<void> {
  const limits = { account: perUser, network: perNetwork }
  await throttle.spend({ kind: 'mail-import', account: userId, ip, limits })
  const login = `${server.host}\n${server.login.toLowerCase()}`
  await throttle.spend({ kind: 'mail-import-login', account: login, limits: { account: perLogin } })
}
