import { createHash } from 'node:crypto'
import { userFieldNames } from '@gatehouse/contract/directory/user-fields'
import type { UserDetail, UserInfo, UserRights } from '@gatehouse/contract/directory/users'
import { userConfig } from '../settings/user-config.ts'
import type { AccountView } from './account-view.ts'

/** The user object with the fields of the user's own page; reference api-objects §6.1. */
export function presentDetail(user: UserInfo, view: AccountView, rights: UserRights): UserDetail {
  return {
    ...user,
    skus: Object.fromEntries(
      view.subscriptions.map(({ id, costs }) => [id, { count: costs.length, costs: [...costs] }]),
    ),
    config: userConfig(view),
    aliases: [...view.aliases],
    revision: editRevision(view),
    ...rights,
  }
}

/**
 * Returns the revision that a user's edit form starts from. Computed from content only, so that neither a
 * charge nor a sign-in looks like a concurrent edit.
 */
export function editRevision(view: Pick<AccountView, 'settings' | 'aliases' | 'subscriptions'>): string {
  const settings = userFieldNames.map((key) => view.settings[key] ?? null)
  const held = view.subscriptions.map(({ id, costs }) => [id, costs.length])
  return createHash('sha256')
    .update(JSON.stringify([settings, view.aliases, held]))
    .digest('base64url')
    .slice(0, 22)
}
