import type { Api } from '../platform/http/api.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { BorrowedRefused } from '../platform/http/errors.ts'
import type { FreshProof } from '../platform/http/fresh-proof.ts'
import { borrowedCaller } from '../platform/http/policy.ts'
import { requireUser } from '../users/access.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { actorOf } from '../users/actor.ts'
import { canFilterMail } from '../users/policy.ts'
import { checkFilters } from './check-filters.ts'
import { readFilters } from './filter-store.ts'
import { type FilterParts, newForwards, saveFilters } from './mail-filters.ts'
import { replyPeople } from './people-store.ts'
import { presentFilters } from './present.ts'

export interface ServeFilterParts extends FilterParts {
  readonly views: AccountViews
  readonly stepUp: FreshProof
  /** A mail server is connected. */
  readonly isConnected: boolean
}

/** Serves the filters and the automatic reply of a user. */
export function serveMailFilters(api: Api, parts: ServeFilterParts): void {
  const { db, views } = parts

  api.serve('GET /api/v4/users/{id}/mail-filters', async ({ principal, params }) => {
    const { user } = await requireUser(views, principal, params.id, canFilterMail)
    return presentFilters(await readFilters(db, user.id), parts.isConnected)
  })

  api.serveLate('PUT /api/v4/users/{id}/mail-filters', async ({ principal, params, read, t, ip }) => {
    const { user } = await requireUser(views, principal, params.id, canFilterMail)
    const people = await replyPeople(db, user)
    const { body, found } = await read(({ rules, outOfOffice }) =>
      // an error of the schema in one of them is reported alone
      rules === undefined || outOfOffice === undefined
        ? { errors: {} }
        : checkFilters({ rules, outOfOffice }, people),
    )
    const added = await newForwards(db, user, found.rules, await readFilters(db, user.id))
    if (added.length > 0) await requireForwarding(parts, principal)
    const change = { ...found, revision: body.revision, replacesOther: body.replacesOther === true }
    const revision = await saveFilters(parts, user, change, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('mail-filters.saved'), revision }
  })
}

/** Forwarding to others gives lasting access to mail: it needs the person and a recent sign-in. */
async function requireForwarding({ stepUp }: ServeFilterParts, principal: Principal): Promise<void> {
  const borrowed = borrowedCaller(principal)
  if (borrowed !== undefined) throw new BorrowedRefused(borrowed)
  await stepUp.requireFresh(principal)
}
