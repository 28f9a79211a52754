import type { Wallet } from '@gatehouse/contract/directory/users'
import type { Permission } from '@gatehouse/contract/permissions'
import type { Routes } from '@gatehouse/contract/routes'
import type { SessionInfo } from '@gatehouse/contract/sessions/sessions'
import { createStore, useStore } from '../../state/store.ts'
import { readTokens } from './tokens.ts'

export type { Permission, Wallet as WalletInfo }

export type UserInfo = SessionInfo & {
  /** Signed in to a cockpit for other roles. */
  isStranger?: boolean
}

/** The signed-in user. `user` is undefined until the server's first response. */
export interface Auth {
  loggedIn: boolean
  user?: UserInfo
}

export const auth = createStore<Auth>({ loggedIn: readTokens() !== undefined })

/** Returns the signed-in user; rerenders when they change. */
export function useUser(): UserInfo | undefined {
  return useStore(auth, (value) => value.user)
}

export function useLoggedIn(): boolean {
  return useStore(auth, (value) => value.loggedIn)
}

/**
 * Whether the user is restricted to one page: payment of a locked account, setup of a required second
 * factor, or sign-out from a cockpit for other roles.
 */
export function isHeldBack({ isLocked, mustEnrol, isStranger }: UserInfo): boolean {
  return isLocked === true || mustEnrol === true || isStranger === true
}

/** Whether the signed-in user may use a part of the product, as decided by the server. */
export function hasPermission(permission: Permission, user = auth.get().user): boolean {
  const flag = `enable${permission.charAt(0).toUpperCase()}${permission.slice(1)}`
  return Object.entries(user?.statusInfo ?? {}).some(([name, value]) => name === flag && value === true)
}

/** Whether the signed-in user has a subscription. */
export function hasSku(title: string, user = auth.get().user): boolean {
  return user?.statusInfo.skus.includes(title) ?? false
}

/**
 * Returns the wallets of a user, that of their account first: their own and those of managed accounts. Omits
 * the empty wallet of users paid for by another account.
 */
export function shownWallets({ wallet, wallets, accounts }: UserInfo): readonly Wallet[] {
  const isPaidFor = accounts.some(({ id }) => id === wallet.id)
  const own = isPaidFor ? wallets.filter(({ balance }) => balance !== 0) : wallets
  const isFirst = ({ id }: Wallet) => Number(id === wallet.id)
  return [...own, ...accounts].sort((one, other) => isFirst(other) - isFirst(one))
}

/** Whether a wallet is the user's own or belongs to an account they control. */
export function isController(walletId: string | undefined, user = auth.get().user): boolean {
  if (!user || !walletId) return false
  return [...user.wallets, ...user.accounts].some((wallet) => wallet.id === walletId)
}

/** Merges changes into the signed-in user, such as `statusInfo` after a change of subscriptions. */
export function updateUser(change: Partial<UserInfo>): void {
  auth.update((value) => (value.user ? { ...value, user: { ...value.user, ...change } } : value))
}

/** Merges a status response into the signed-in user: permissions, setup and flags. */
export function updateStatus(answer: Routes['GET /api/v4/users/{id}/status']['ok']): void {
  const { status: _outcome, message: _message, ...facts } = answer
  const { isActive, isSuspended, isDeleted, isImapReady, isLdapReady, ...rest } = facts
  const { isDegraded, isRestricted, isReady, isAccountDegraded, ...statusInfo } = rest
  updateUser({
    ...{ isActive, isSuspended, isDeleted, isImapReady, isLdapReady },
    ...{ isDegraded, isRestricted, isReady, isAccountDegraded },
    statusInfo,
  })
}
