import { type ClientGrant, clientGrants } from '@gatehouse/contract/sessions/oauth'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { unless } from '../../platform/http/validation.ts'
import { isUuid } from '../../platform/ids.ts'
import { actorOf } from '../../users/actor.ts'
import { mayManageClients } from '../policy.ts'
import { type ClientFacts, clientProblems } from './client.ts'
import { listClients, readClient } from './client-store.ts'
import {
  type ClientChange,
  changeClient,
  createClient,
  type ManageParts,
  orderScopes,
  presentClient,
  removeClient,
  renewSecret,
} from './manage-clients.ts'

const pageSize = 20

/** Returns grants in canonical order without duplicates. */
function grantsOf(grants: readonly ClientGrant[] | undefined): { grants: ClientGrant[] } | undefined {
  return grants && { grants: clientGrants.filter((grant) => grants.includes(grant)) }
}

/** Routes for managing applications, on the admin host. */
export function serveClients(api: Api, parts: ManageParts): void {
  const { db } = parts
  const require = (principal: Principal) => {
    if (!mayManageClients(principal)) throw new Forbidden()
  }
  const find = async (id: string) => {
    const row = isUuid(id) ? await readClient(db, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  api.serve('GET /api/v4/oauth/clients', async ({ principal, query }) => {
    require(principal)
    const page = query.page ?? 1
    const size = query.size ?? pageSize
    const rows = await listClients(db, query.search, { limit: size + 1, offset: (page - 1) * size })
    const list = rows.slice(0, size).map(presentClient)
    return { list, count: list.length, hasMore: rows.length > size }
  })

  api.serve('GET /api/v4/oauth/clients/{id}', async ({ principal, params }) => {
    require(principal)
    return presentClient(await find(params.id))
  })

  api.serveLate('POST /api/v4/oauth/clients', async ({ principal, read, t, ip }) => {
    require(principal)
    const { body } = await read((fields) => unless(clientProblems(fields), undefined))
    const facts: ClientFacts & { confidential: boolean } = {
      name: body.name,
      redirect_uris: body.redirect_uris ?? [],
      post_logout_redirect_uris: body.post_logout_redirect_uris ?? [],
      scopes: orderScopes(body.scopes),
      grants: clientGrants.filter((grant) => body.grants.includes(grant)),
      id_token_alg: body.id_token_alg ?? 'RS256',
      require_pkce: body.require_pkce ?? true,
      confidential: body.confidential,
    }
    const { id, secret } = await createClient(parts, facts, actorOf(principal, { ip }))
    return { status: 'success', message: t('oauth.client-created', { client: facts.name }), id, secret }
  })

  api.serveLate('PUT /api/v4/oauth/clients/{id}', async ({ principal, params, read, t, ip }) => {
    require(principal)
    const row = await find(params.id)
    const { redirectUris } = row
    const grants = clientGrants.filter((grant) => row.grants.includes(grant))
    const { body } = await read((fields) =>
      unless(clientProblems({ grants, redirect_uris: redirectUris, ...fields }), undefined),
    )
    const change: ClientChange = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.redirect_uris != null && { redirect_uris: body.redirect_uris }),
      ...(body.post_logout_redirect_uris != null && {
        post_logout_redirect_uris: body.post_logout_redirect_uris,
      }),
      ...(body.scopes !== undefined && { scopes: orderScopes(body.scopes) }),
      ...(grantsOf(body.grants) ?? {}),
      ...(body.id_token_alg != null && { id_token_alg: body.id_token_alg }),
      ...(body.require_pkce != null && { require_pkce: body.require_pkce }),
      ...(body.disabled != null && { disabled: body.disabled }),
    }
    const { name } = await changeClient(parts, row.id, change, actorOf(principal, { ip }))
    return { status: 'success', message: t('oauth.client-updated', { client: name }) }
  })

  api.serve('POST /api/v4/oauth/clients/{id}/secret', async ({ principal, params, t, ip }) => {
    require(principal)
    const { name, secret } = await renewSecret(parts, params.id, actorOf(principal, { ip }))
    return { status: 'success', message: t('oauth.client-secret', { client: name }), secret }
  })

  api.serve('DELETE /api/v4/oauth/clients/{id}', async ({ principal, params, t, ip }) => {
    require(principal)
    const { name } = await removeClient(parts, params.id, actorOf(principal, { ip }))
    return { status: 'success', message: t('oauth.client-deleted', { client: name }) }
  })
}
