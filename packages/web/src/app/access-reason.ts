import type { MessageKey } from '../i18n/areas.ts'
import { hasPermission, type Permission, type UserInfo } from '../platform/session/auth.ts'

/** Why a person can't open a screen, and the link that helps, if any. */
export interface AccessReason {
  hint: MessageKey
  remedy?: { to: string; label: MessageKey; search?: Record<string, string> }
}

/** Screens that are unavailable while the account has no money. */
const whileDegraded: readonly Permission[] = ['files', 'rooms']
/** Screens of objects whose addresses are in a domain of the account. */
const withDomain: readonly Permission[] = ['distlists', 'resources', 'folders']

/** Derives the reason from the user object. */
export function accessReason(perm: Permission, user: UserInfo | undefined): AccessReason {
  const may = (one: Permission) => hasPermission(one, user)
  // everyone who controls an account has its settings
  const isController = may('settings')
  if (user?.isDegraded && whileDegraded.includes(perm)) {
    if (!may('wallets')) return { hint: 'error.accessDegradedMember' }
    return {
      hint: 'error.accessDegraded',
      remedy: { to: '/wallet', search: { pay: '1' }, label: 'degraded.topUp' },
    }
  }
  if (perm === 'wallets' && !isController) return { hint: 'error.hintWallet' }
  if (!isController && !whileDegraded.includes(perm) && perm !== 'companionapps')
    return { hint: 'error.accessRole' }
  if (withDomain.includes(perm) && may('domains') && !withDomain.some(may)) {
    return { hint: 'error.accessNoDomain', remedy: { to: '/domain/new', label: 'error.accessAddDomain' } }
  }
  if (perm === 'domains' || (withDomain.includes(perm) && !may('domains'))) {
    // the page already has a support link
    return { hint: 'error.accessPlan' }
  }
  return { hint: 'error.accessOff' }
}
