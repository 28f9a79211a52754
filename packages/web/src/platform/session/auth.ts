import type { Wallet } from '@gatehouse/contract/directory/users'
import type { Permission } from '@gatehouse/contract/permissions'
import type { Routes } from '@gatehouse/contract/routes'
import type { SessionInfo } from '@gatehouse/contract/sessions/sessions'
import { createStore, useStore } from '../../state/store.ts'
import { readTokens } from './tokens.ts'

export type { Permission, Wallet as WalletInfo }

export type UserInfo = SessionInfo & {
  /** Has signed in to a cockpit that is for others. */
  isStranger?: boolean
}

/** Who is signed in. `user` is absent until the first answer of the server has arrived. */
export interface Auth {
  loggedIn: boolean
  user?: UserInfo
}

export const auth = createStore<Auth>({ loggedIn: readTokens() !== undefined })

/** The signed-in user; the component is rendered again when something about them changes. */
export function useUser(): UserInfo | undefined {
  return useStore(auth, (value) => value.user)
}

export function useLoggedIn(): boolean {
  return useStore(auth, (value) => value.loggedIn)
}

/**
 * Whether somebody has one way only: to the payment of a locked account, to the second factor that is required, or out
 * of a cockpit that is for others.
 */
export function isHeldBack({ isLocked, mustEnrol, isStranger }: UserInfo): boolean {
  return isLocked === true || mustEnrol === true || isStranger === true
}

/** Whether the signed-in user may use a part of the product, as the server has decided. */
export function hasPermission(permission: Permission, user = auth.get().user): boolean {
  const flag = `enable${permission.charAt(0).toUpperCase()}${permission.slice(1)}`
  return Object.entries(user?.statusInfo ?? {}).some(([name, value]) => name === flag && value === true)
}

/** Whether the signed-in user has subscribed to something. */
export function hasSku(title: string, user = auth.get().user): boolean {
  return user?.statusInfo.skus.includes(title) ?? false
}

/**
 * The wallets that concern a person, that of their account first: one's own and those of accounts that one looks after.
 * The own wallet of somebody whom another account pays for is empty, and not worth a place.
 */
export function shownWallets({ wallet, wallets, accounts }: UserInfo): readonly Wallet[] {
  const isPaidFor = accounts.some(({ id }) => id === wallet.id)
  const own = isPaidFor ? wallets.filter(({ balance }) => balance !== 0) : wallets
  const isFirst = ({ id }: Wallet) => Number(id === wallet.id)
  return [...own, ...accounts].sort((one, other) => isFirst(other) - isFirst(one))
}

/** Whether a wallet is one of the user's own or of an account that they control. */
export function isController(walletId: string | undefined, user = auth.get().user): boolean {
  if (!user || !walletId) return false
  return [...user.wallets, ...user.accounts].some((wallet) => wallet.id === walletId)
}

/** Takes over new facts about the signed-in user, such as `statusInfo` after a change of subscriptions. */
export function updateUser(change: Partial<UserInfo>): void {
  auth.update((value) => (value.user ? { ...value, user: { ...value.user, ...change } } : value))
}

/** Takes over the answer to a status call for the signed-in user: permissions, set-up and flags. */
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
