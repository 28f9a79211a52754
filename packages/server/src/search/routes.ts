import type { PermissionFlag } from '@gatehouse/contract/permissions'
import type { SearchType } from '@gatehouse/contract/search'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import { requireOwn } from '../users/access.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { presentStatusInfo } from '../users/account-view/present.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import { search } from './search-store.ts'

export interface SearchParts {
  readonly db: Db
  readonly views: AccountViews
  readonly presenter: UserPresenter
}

/** The permission required to find each kind. Users are found by those who control them. */
const flags: Readonly<Partial<Record<SearchType, PermissionFlag>>> = {
  domain: 'enableDomains',
  distlist: 'enableDistlists',
  resource: 'enableResources',
  folder: 'enableFolders',
  room: 'enableRooms',
}

/** A search over everything the caller may see. */
export function serveSearch(api: Api, { db, views, presenter }: SearchParts): void {
  api.serve('GET /api/v4/search', async ({ principal, query, ...request }) => {
    const text = query.q ?? ''
    if (text === '') return { list: [] }
    const view = await requireOwn(views, principal)
    const info = presentStatusInfo(view, await presenter.facts(request, view.user.tenantId))
    // the keys come from an object literal
    const types = (Object.entries(flags) as [SearchType, PermissionFlag][])
      .filter(([, flag]) => info[flag])
      .map(([type]) => type)
    return { list: await search(db, principal.userId, text, types) }
  })
}
