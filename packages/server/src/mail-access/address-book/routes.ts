import { addressLimits } from '@gatehouse/contract/mail/address-book'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { requireOwn } from '../../users/access.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { type AddressScope, findAddresses, findContacts } from './address-book-store.ts'

export interface AddressBookParts {
  readonly config: Pick<FeatureSettings, 'APP_WITH_USER_SEARCH'>
  readonly db: Db
  readonly views: AccountViews
}

/** Features of the webmail that depend on a subscription of the same name, in the order of the answer. */
const webmailFeatures = ['activesync', '2fa', 'groupware'] as const

/** Address searches for webmail, and its configuration; reference api-auth §19. */
export function serveAddressSearch(api: Api, { config, db, views }: AddressBookParts): void {
  interface Asked {
    readonly search?: string | null
    readonly limit?: number | null
    readonly alias?: boolean | null
  }
  const usual = ({ search, limit }: Asked) => ({ text: search ?? '', limit: limit ?? addressLimits.usual })

  const addresses = async (readerId: number, scope: AddressScope, query: Asked) => {
    const list = await findAddresses(db, readerId, scope, {
      ...usual(query),
      withAliases: query.alias ?? false,
    })
    return { list, count: list.length }
  }

  api.serve('GET /api/v4/search/self', ({ principal, query }) => addresses(principal.userId, 'self', query))

  api.serve('GET /api/v4/search/user', ({ principal, query }) => {
    if (!config.APP_WITH_USER_SEARCH) throw new NotFound()
    return addresses(principal.userId, 'account', query)
  })

  api.serve('GET /api/v4/search/contacts', async ({ principal, query }) => {
    const asked = { ...usual(query), withUsers: config.APP_WITH_USER_SEARCH }
    const list = await findContacts(db, principal.userId, asked)
    return { list, count: list.length }
  })

  api.serve('GET /api/v4/config/webmail', async ({ principal }) => {
    const { subscriptions } = await requireOwn(views, principal)
    const titles = new Set(subscriptions.map(({ title }) => title))
    const offered = webmailFeatures.filter((title) => titles.has(title))
    return { 'kolab-configuration-overlays': ['kolab4' as const, ...offered] }
  })
}
