import {
  type ClientScope,
  clientGrants,
  clientScopes,
  type OAuthClient,
} from '@gatehouse/contract/sessions/oauth'
import { type Actor, audit } from '../../platform/audit.ts'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Conflict, message, NotFound } from '../../platform/http/errors.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { differences } from '../../users/user-snapshot.ts'
import { type ClientFacts, type ClientRow, hashClientSecret, newClientSecret } from './client.ts'
import { deleteClient, holdClient, insertClient, updateClient } from './client-store.ts'

export interface ManageParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

/** Registers an application. The secret is returned only here; public clients have none. */
export async function createClient(
  { db, clock, secrets }: ManageParts,
  facts: ClientFacts & { readonly confidential: boolean },
  actor: Actor,
): Promise<{ id: string; secret: string | null }> {
  const id = newUuid()
  const secret = facts.confidential ? newClientSecret() : null
  const secretHash = secret === null ? null : hashClientSecret(secrets, id, secret)
  const { confidential, ...data } = facts
  await db.transaction().execute(async (trx) => {
    await insertClient(trx, clock, { ...data, id, secretHash })
    await record(trx, clock, actor, 'oauth-client.created', { client: id, ...data, confidential })
  })
  return { id, secret }
}

export interface ClientChange extends Partial<ClientFacts> {
  readonly disabled?: boolean | undefined
}

/** Changes an application. Throws NotFound. */
export async function changeClient(
  { db, clock }: ManageParts,
  id: string,
  change: ClientChange,
  actor: Actor,
): Promise<ClientRow> {
  return db.transaction().execute(async (trx) => {
    const row = await hold(trx, id)
    const { disabled, ...facts } = change
    const wasDisabled = row.disabledAt !== null
    const state =
      disabled === undefined || disabled === wasDisabled ? {} : { disabledAt: disabled ? clock.now() : null }
    // clients without a secret always require PKCE
    const pkce = row.secretHash === null ? { require_pkce: true } : {}
    await updateClient(trx, clock, id, { ...facts, ...pkce, ...state })
    const after = await hold(trx, id)
    const changes = differences(snapshot(row), snapshot(after))
    if (changes !== undefined) {
      await record(trx, clock, actor, 'oauth-client.updated', { client: id, name: row.name, ...changes })
    }
    return after
  })
}

/**
 * Generates a new secret for an application. Throws NotFound, and Conflict if it has none or is configured in
 * the settings.
 */
export async function renewSecret(
  { db, clock, secrets }: ManageParts,
  id: string,
  actor: Actor,
): Promise<{ name: string; secret: string }> {
  return db.transaction().execute(async (trx) => {
    const row = await hold(trx, id)
    if (row.secretHash === null) throw new Conflict(message('oauth.client-public'))
    refuseBuiltIn(row)
    const secret = newClientSecret()
    await updateClient(trx, clock, id, { secretHash: hashClientSecret(secrets, id, secret) })
    await record(trx, clock, actor, 'oauth-client.secret', { client: id, name: row.name })
    return { name: row.name, secret }
  })
}

/**
 * Deletes an application with its consents and tokens. Throws NotFound, and Conflict if it is configured in
 * the settings.
 */
export async function removeClient({ db, clock }: ManageParts, id: string, actor: Actor): Promise<ClientRow> {
  return db.transaction().execute(async (trx) => {
    const row = await hold(trx, id)
    refuseBuiltIn(row)
    await deleteClient(trx, id)
    await record(trx, clock, actor, 'oauth-client.deleted', { client: id, name: row.name })
    return row
  })
}

/** Returns an application as shown to staff. */
export function presentClient(row: ClientRow): OAuthClient {
  return {
    id: row.id,
    name: row.name,
    redirect_uris: row.redirectUris,
    post_logout_redirect_uris: row.postLogoutRedirectUris,
    scopes: clientScopes.filter((scope) => row.scopes.includes(scope)),
    grants: clientGrants.filter((grant) => row.grants.includes(grant)),
    confidential: row.secretHash !== null,
    id_token_alg: row.idTokenAlg,
    require_pkce: row.requirePkce,
    disabled: row.disabledAt !== null,
    built_in: row.builtIn !== null,
    created_at: wireDate(row.createdAt),
    updated_at: wireDate(row.updatedAt),
  }
}

async function hold(trx: Db, id: string): Promise<ClientRow> {
  const row = isUuid(id) ? await holdClient(trx, id) : undefined
  if (row === undefined) throw new NotFound()
  return row
}

/** It would be recreated from the settings at the next start. */
function refuseBuiltIn(row: ClientRow): void {
  if (row.builtIn !== null) throw new Conflict(message('oauth.client-built-in'))
}

function snapshot(row: ClientRow): Record<string, unknown> {
  const { name, redirectUris, postLogoutRedirectUris, scopes, grants, idTokenAlg, requirePkce } = row
  const disabled = row.disabledAt !== null
  return {
    ...{
      name,
      redirect_uris: redirectUris,
      post_logout_redirect_uris: postLogoutRedirectUris,
      scopes,
      grants,
      id_token_alg: idTokenAlg,
      require_pkce: requirePkce,
    },
    disabled,
  }
}

function record(
  trx: Db,
  clock: Clock,
  actor: Actor,
  event: string,
  data: Record<string, unknown>,
): Promise<void> {
  const tenant = { tenantId: systemTenant, objectType: 'tenant', objectId: systemTenant }
  return audit(trx, clock, { ...tenant, event, actor, data })
}

/** Returns scopes in canonical order without duplicates. */
export function orderScopes(scopes: readonly ClientScope[]): ClientScope[] {
  return clientScopes.filter((scope) => scopes.includes(scope))
}
