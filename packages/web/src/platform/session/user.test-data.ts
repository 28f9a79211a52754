import type { Permission, UserInfo } from './auth.ts'

/** A signed-in user for tests, with the given permissions. */
export function testUser(permissions: Permission[] = [], change: Partial<UserInfo> = {}): UserInfo {
  const flags = permissions.map((name) => [`enable${name.charAt(0).toUpperCase()}${name.slice(1)}`, true])
  const wallet = { id: 'own', currency: 'CHF', balance: 0 }
  const user = {
    id: 1,
    email: 'jane@acme.test',
    isLocked: false,
    settings: {},
    statusInfo: {
      process: [],
      processState: 'done',
      isDone: true,
      skus: ['mailbox'],
      ...Object.fromEntries(flags),
    },
    wallets: [wallet],
    accounts: [{ ...wallet, id: 'controlled' }],
    wallet,
    ...change,
  }
  return user as UserInfo // fields no test reads are omitted
}
