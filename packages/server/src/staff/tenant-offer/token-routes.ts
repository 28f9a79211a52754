import { after, day, wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { listTokens, tokenState } from '../../signup/grants/token-store.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import { actorOf } from '../../users/actor.ts'
import type { OfferParts } from './change-catalogue.ts'
import { createTokens, endToken } from './create-tokens.ts'

const pageSize = 20

/** Sign-up tokens of tenants; reference api-auth §14.4. */
export function serveTokens(api: Api, parts: OfferParts): void {
  const { db, clock } = parts

  api.serve('GET /api/v4/tenants/{id}/signup-tokens', async ({ principal, params, query, language }) => {
    const { id } = await requireTenant(db, principal, params.id)
    const page = query.page ?? 1
    const size = query.size ?? pageSize
    const now = clock.now()
    const { search, state } = query
    const part = { limit: size + 1, offset: (page - 1) * size }
    const rows = await listTokens(db, id, { now, search, state }, part)
    const list = rows.slice(0, size).map((row) => ({
      token: row.token,
      plan: { title: row.planTitle, name: localised(row.planName, language) },
      used: row.counter,
      limit: row.limit,
      expires_at: row.expiresAt === null ? null : wireDate(row.expiresAt),
      created_at: wireDate(row.createdAt),
      state: tokenState(row, now),
    }))
    return { list, count: list.length, hasMore: rows.length > size, page }
  })

  api.serveLate('POST /api/v4/tenants/{id}/signup-tokens', async ({ principal, params, read, t, ip }) => {
    const { id: tenantId } = await requireTenant(db, principal, params.id)
    const { plan: planId, tokens: names, count, limit, lastDay } = read()
    const tokens = await createTokens(parts, {
      ...{ tenantId, actor: actorOf(principal, { ip }), planId },
      tokens: names ?? count ?? 1,
      limit: limit ?? null,
      expiresAt: lastDay == null ? null : after(new Date(`${lastDay}T00:00:00Z`), day),
    })
    return { status: 'success', message: t('tenant-offer.tokens-created', { count: tokens.length }), tokens }
  })

  api.serve('DELETE /api/v4/tenants/{id}/signup-tokens/{token}', async ({ principal, params, t, ip }) => {
    const { id: tenantId } = await requireTenant(db, principal, params.id)
    await endToken(parts, { tenantId, actor: actorOf(principal, { ip }) }, params.token)
    return { status: 'success', message: t('tenant-offer.token-revoked') }
  })
}
