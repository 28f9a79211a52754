import { requireWallet } from '../billing/wallet/wallet-access.ts'
import type { DirectoryParts } from '../directory/directory-parts.ts'
import { wireDate } from '../platform/clock.ts'
import type { Api } from '../platform/http/api.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../platform/http/errors.ts'
import { localised } from '../platform/i18n/localised.ts'
import { parseObjectId } from '../platform/ids.ts'
import { requireTenant } from '../tenants/require-tenant.ts'
import { actorOf } from '../users/actor.ts'
import { serveDeletions } from './deletions/deletion-routes.ts'
import { logPageSize, readLog } from './event-log-store.ts'
import { beginImpersonation, impersonationAnswer } from './impersonation.ts'
import { listRequest, scopeOf } from './list-request.ts'
import { changeMailSettings, checkMailSettings } from './mail-settings/mail-settings.ts'
import { offeredDiscounts } from './money/discount-store.ts'
import { changeDiscount, requireMoneyRight } from './money/money.ts'
import { serveOneOffs } from './money/one-off-routes.ts'
import { serveStaffObjects } from './object-routes.ts'
import { looksAfter } from './policy.ts'
import { staffHits } from './search/hit-store.ts'
import { searchUsers, usersOfOwner } from './search/user-search-store.ts'
import { requireStaffDomain, requireStaffObject } from './staff-object.ts'
import { byOf, type StaffParts } from './staff-parts.ts'
import { requireAccessTarget, requireCustomer, requireSeen, requireTarget } from './staff-user.ts'
import {
  changeExternalEmail,
  giveSku,
  requireReachable,
  resetGeolock,
  resetSecondFactors,
  restore,
  resync,
  sendPasswordLink,
  signOut,
  suspend,
  unsuspend,
} from './user-acts.ts'
import { staffUserPage } from './user-page.ts'
import { staffWalletPage } from './wallet-page.ts'

/** The API of the admin and the reseller cockpit; reference api-billing-admin §18. */
export function serveStaff(api: Api, parts: StaffParts & DirectoryParts): void {
  serveUsers(api, parts)
  serveUserActs(api, parts)
  serveMoney(api, parts)
  serveOneOffs(api, parts)
  serveStaffObjects(api, parts)
  serveDeletions(api, parts)
  serveLog(api, parts)
}

interface Acting extends Pick<RequestFacts, 'ip'> {
  readonly principal: Principal
  readonly body: { readonly comment?: string | null | undefined }
}

function byFor(request: Acting) {
  return byOf(actorOf(request.principal, request), request.body.comment)
}

function serveUsers(api: Api, parts: StaffParts): void {
  const { db, config } = parts

  api.serve('GET /api/v4/users @staff', async ({ principal, query, t }) => {
    const { wanted, scope, part } = await listRequest(db, principal, query)
    const withLdap = config.APP_LDAP
    const page =
      wanted === undefined
        ? { list: [], count: 0, hasMore: false, page: part.page }
        : 'ownerId' in wanted
          ? await usersOfOwner(db, wanted.ownerId, part, withLdap)
          : await searchUsers(db, wanted.name, scope, part, withLdap)
    return { ...page, message: t('staff.search-found', { count: page.count }) }
  })

  api.serve('GET /api/v4/search @staff', async ({ principal, query }) => {
    const text = query.q ?? ''
    return { list: text === '' ? [] : await staffHits(db, text, scopeOf(principal), config.APP_LDAP) }
  })

  api.serve('GET /api/v4/users/{id} @staff', async ({ principal, params, ...request }) =>
    staffUserPage(parts, await requireSeen(db, principal, params.id), principal, request),
  )

  api.serveLate('PUT /api/v4/users/{id} @staff', async ({ principal, params, read, t, ip }) => {
    const view = await requireAccessTarget(parts, principal, params.id)
    const body = read()
    if (body.external_email !== undefined) {
      const address = body.external_email
      await changeExternalEmail(parts, view, { address, isHeld: true }, byFor({ principal, body, ip }))
    }
    return { status: 'success', message: t('staff.user-updated') }
  })

  api.serve('GET /api/v4/users/{id}/discounts', async ({ principal, params, language }) => {
    const view = await requireSeen(db, principal, params.id)
    const list = (await offeredDiscounts(db, view.user.tenantId)).map((row) => {
      const description = localised(row.description, language)
      const code = row.code === null ? '' : ` [${row.code}]`
      return { ...row, description, label: `${row.discount}% - ${description}${code}` }
    })
    return { status: 'success' as const, list, count: list.length }
  })
}

function serveUserActs(api: Api, parts: StaffParts): void {
  const { db, throttle } = parts

  api.serveLate('POST /api/v4/users/{id}/suspend', async ({ principal, params, read, t, ip }) => {
    const view = await requireTarget(db, principal, params.id)
    const body = read()
    await suspend(parts, view, body.reason ?? 'other', byFor({ principal, body, ip }))
    return { status: 'success', message: t('staff.suspend-user') }
  })

  api.serveLate('POST /api/v4/users/{id}/unsuspend', async ({ principal, params, read, t, ip }) => {
    const view = await requireTarget(db, principal, params.id)
    await unsuspend(parts, view, byFor({ principal, body: read(), ip }))
    return { status: 'success', message: t('staff.unsuspend-user') }
  })

  api.serveLate('POST /api/v4/users/{id}/reset-2fa', async ({ principal, params, read, t, ip }) => {
    const view = await requireAccessTarget(parts, principal, params.id)
    await resetSecondFactors(parts, view, byFor({ principal, body: read(), ip }))
    return { status: 'success', message: t('staff.reset-2fa') }
  })

  api.serveLate('POST /api/v4/users/{id}/reset-geolock', async ({ principal, params, read, t, ip }) => {
    const view = await requireAccessTarget(parts, principal, params.id)
    await resetGeolock(parts, view, byFor({ principal, body: read(), ip }))
    return { status: 'success', message: t('staff.reset-geolock') }
  })

  api.serveLate('POST /api/v4/users/{id}/mail-settings', async ({ principal, params, read, t, ip }) => {
    const view = await requireTarget(db, principal, params.id)
    const { body, found } = await read((fields) => checkMailSettings(fields, view))
    await changeMailSettings(parts, view, found, byFor({ principal, body, ip }))
    return { status: 'success', message: t('staff.mail-settings') }
  })

  api.serveLate('POST /api/v4/users/{id}/password-link', async ({ principal, params, read, t, ip }) => {
    const view = await requireCustomer(db, principal, params.id)
    const { reason } = read()
    // count only requests that send an e-mail
    await requireReachable(db, parts, view.user.id)
    await throttle.spend({ kind: 'password-link', account: view.user.id, ip })
    await sendPasswordLink(parts, view, byOf(actorOf(principal, { ip }), reason))
    return { status: 'success', message: t('staff.password-link-sent') }
  })

  api.serveLate('POST /api/v4/users/{id}/sign-out @staff', async ({ principal, params, read, t, ip }) => {
    const view = await requireTarget(db, principal, params.id)
    await signOut(parts, view, byFor({ principal, body: read(), ip }))
    return { status: 'success', message: t('staff.signed-out') }
  })

  api.serveLate('POST /api/v4/users/{id}/resync', async ({ principal, params, read, t, ip }) => {
    const view = await requireTarget(db, principal, params.id, { evenDeleted: true })
    await resync(parts, view, byFor({ principal, body: read(), ip }))
    return { status: 'success', message: t('staff.resync') }
  })

  api.serveLate('POST /api/v4/users/{id}/restore @staff', async ({ principal, params, read, t, ip }) => {
    const view = await requireCustomer(db, principal, params.id, { evenDeleted: true })
    if (view.user.deletedAt === null) throw new NotFound()
    await restore(parts, view, byFor({ principal, body: read(), ip }))
    return { status: 'success', message: t('staff.restored') }
  })

  api.serveLate('POST /api/v4/users/{id}/skus/{sku}', async ({ principal, params, read, ...request }) => {
    const view = await requireTarget(db, principal, params.id)
    const by = byFor({ principal, body: read(), ip: request.ip })
    const { id, name, cost } = await giveSku(parts, principal, view, params.sku, by)
    const sku = { id, name: localised(name, request.language), cost }
    return { status: 'success', message: request.t('staff.sku-added'), sku }
  })

  api.serveLate('POST /api/v4/users/{id}/login-as @staff', async ({ principal, params, read, t, ip }) => {
    const view = await requireSeen(db, principal, params.id)
    const answer = impersonationAnswer(parts, principal, view)
    if (answer === 'refused-by-account') throw new Forbidden(message('staff.login-as-refused'))
    if (answer === 'refused') throw new Forbidden(message('staff.colleague'))
    const { reason } = read()
    const by = { actor: actorOf(principal, { ip }) }
    const { code, endsAt } = await beginImpersonation(parts, principal, view, reason, by)
    // in the fragment, so that it appears in no log or referrer
    const redirectUrl = `${parts.config.APP_URL}/login-as#${code}`
    return { status: 'success', message: t('staff.login-as'), redirectUrl, until: wireDate(endsAt) }
  })
}

function serveMoney(api: Api, parts: StaffParts): void {
  const { db } = parts

  api.serve('GET /api/v4/wallets/{id} @staff', async ({ principal, params, ...request }) => {
    const wallet = await requireWallet(db, principal, params.id, looksAfter)
    return staffWalletPage(parts, wallet, principal, request)
  })

  api.serveLate('PUT /api/v4/wallets/{id}', async ({ principal, params, read, ...request }) => {
    const wallet = await requireWallet(db, principal, params.id, looksAfter)
    requireMoneyRight(principal, wallet.owned)
    const body = read()
    if (body.discount !== undefined) {
      await changeDiscount(parts, wallet, body.discount, byFor({ principal, body, ip: request.ip }))
    }
    const now = await requireWallet(db, principal, params.id, looksAfter)
    const page = await staffWalletPage(parts, now, principal, request)
    return { ...page, status: 'success', message: request.t('staff.wallet-updated') }
  })
}

function serveLog(api: Api, parts: StaffParts): void {
  const { db } = parts

  api.serve('GET /api/v4/eventlog/{type}/{id}', async ({ principal, params, query, t }) => {
    const { type } = params
    const part = { page: query.page ?? 1, size: query.size ?? logPageSize }
    if (type === 'tenant') {
      const { id } = await requireTenant(db, principal, params.id)
      return readLog(db, { type, id }, part, t)
    }
    if (type === 'user') await requireSeen(db, principal, params.id)
    else if (type === 'domain') await requireStaffDomain(db, principal, params.id)
    else await requireStaffObject(db, principal, type, params.id)
    const id = parseObjectId(params.id)
    if (id === undefined) throw new NotFound()
    return readLog(db, { type, id }, part, t)
  })
}
