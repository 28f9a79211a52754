import type { ConsentItem } from '@gatehouse/contract/sessions/oauth'
import { wireDate } from '../platform/clock.ts'
import type { Api } from '../platform/http/api.ts'
import { NotFound } from '../platform/http/errors.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { isUuid } from '../platform/ids.ts'
import { actorOf } from '../users/actor.ts'
import { approve } from './authorization/approve.ts'
import {
  allowDevice,
  type DeviceParts,
  denyDevice,
  findDevice,
  guardDeviceCode,
} from './authorization/device.ts'
import { disconnect, revokeToken } from './authorization/disconnect.ts'
import { type Connection, listConnections, listTokens } from './authorization/grant-store.ts'
import { openSignOut } from './authorization/sign-out.ts'
import { readClient } from './clients/client-store.ts'
import { claimTexts } from './tokens/scopes.ts'

/** Routes for consent, devices and connected applications; reference api-auth §9. */
export function serveOAuth(api: Api, parts: DeviceParts): void {
  api.serve('POST /api/oauth/approve', ({ body, principal, t, ip }) => {
    const { ifSeen, ...input } = body
    return approve(parts, { ...input, ifSeen: isTruthy(ifSeen) }, { principal, t, ip })
  })

  api.serve('POST /api/oauth/device', ({ body, ...context }) => {
    const { t } = context
    return guardDeviceCode(parts, context, async () => {
      if (body.decision === 'allow') {
        await allowDevice(parts, body.user_code, context)
        return { status: 'success', message: t('oauth.device-allowed') }
      }
      if (body.decision === 'deny') {
        await denyDevice(parts, body.user_code)
        return { status: 'success', message: t('oauth.device-denied') }
      }
      const { client, scopes } = await findDevice(parts, body.user_code)
      const { name } = client
      const { email } = context.principal
      return { status: 'prompt', client: { name, title: name, claims: claimTexts(scopes, t), email } }
    })
  })

  api.serve('POST /api/oauth/logout', ({ body }) => openSignOut(parts, body.request))

  serveTokens(api, parts)
  serveConnections(api, parts)
}

function serveTokens(api: Api, parts: DeviceParts): void {
  const { db, clock } = parts

  api.serve('GET /oauth/tokens', async ({ principal }) => {
    const rows = await listTokens(db, clock, principal.userId)
    return rows.map((row) => ({
      id: row.handle,
      user_id: principal.userId,
      client_id: row.clientId,
      name: row.name,
      scopes: (row.scope ?? '').split(' ').filter((scope) => row.allowed.includes(scope)),
      revoked: false as const,
      created_at: wireDate(row.createdAt),
      updated_at: wireDate(row.createdAt),
      expires_at: wireDate(row.expiresAt),
      client: { id: row.clientId, name: row.name },
    }))
  })

  api.serve('DELETE /oauth/tokens/{id}', async ({ principal, params, ip }) => {
    if (!isUuid(params.id)) throw new NotFound()
    await revokeToken(parts, principal, params.id, actorOf(principal, { ip }))
    return null
  })
}

function serveConnections(api: Api, parts: DeviceParts): void {
  const { db } = parts

  api.serve('GET /api/v4/consents', async ({ principal, t }) => {
    const rows = await listConnections(db, principal.userId)
    return { list: rows.map((row) => present(row, t)), count: rows.length }
  })

  api.serve('DELETE /api/v4/consents/{client}', async ({ principal, params, t, ip }) => {
    const client = isUuid(params.client) ? await readClient(db, params.client) : undefined
    if (client === undefined) throw new NotFound()
    await disconnect(parts, principal, client, actorOf(principal, { ip }))
    return { status: 'success', message: t('oauth.disconnected', { client: client.name }) }
  })
}

function present(row: Connection, t: Translate): ConsentItem {
  return {
    client: row.clientId,
    name: row.name,
    scopes: row.scopes,
    claims: claimTexts(row.scopes, t),
    created_at: wireDate(row.createdAt),
    approved_at: wireDate(row.approvedAt),
    used_at: row.usedAt === null ? null : wireDate(row.usedAt),
  }
}

/** Parses the flag `ifSeen`: any value except the usual negative words. */
function isTruthy(value: string | number | boolean | null | undefined): boolean {
  return value != null && value !== false && value !== 0 && value !== '0' && value !== 'false'
}
