import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import type { ClientFacts, ClientRow } from './client.ts'

const columns = [
  'id',
  'name',
  'secretHash',
  'redirectUris',
  'postLogoutRedirectUris',
  'scopes',
  'grants',
  'idTokenAlg',
  'requirePkce',
  'builtIn',
  'disabledAt',
  'createdAt',
  'updatedAt',
] as const

/** Returns an application, enabled or not. */
export function readClient(db: Db, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauthClients').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Returns the application created from the settings under this name. */
export function readBuiltIn(db: Db, name: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauthClients').select(columns).where('builtIn', '=', name).executeTakeFirst()
}

/** Locks an application until the transaction ends. */
export function holdClient(trx: Db, id: string): Promise<ClientRow | undefined> {
  return trx.selectFrom('oauthClients').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function listClients(
  db: Db,
  search: string | null | undefined,
  part: { readonly limit: number; readonly offset: number },
): Promise<ClientRow[]> {
  const all = db.selectFrom('oauthClients').select(columns)
  const found = search ? all.where(sql<boolean>`fold_text(name) like ${foldedPattern(search)}`) : all
  return found.orderBy('name').orderBy('id').limit(part.limit).offset(part.offset).execute()
}

export async function insertClient(
  db: Db,
  clock: Clock,
  client: ClientFacts & {
    readonly id: string
    readonly secretHash: Buffer | null
    readonly builtIn?: string
  },
): Promise<void> {
  const now = clock.now()
  await db
    .insertInto('oauthClients')
    .values({
      ...stored(client),
      id: client.id,
      requirePkce: client.require_pkce || client.secretHash === null,
      secretHash: client.secretHash,
      builtIn: client.builtIn ?? null,
      disabledAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}

export async function updateClient(
  db: Db,
  clock: Clock,
  id: string,
  change: Partial<ClientFacts> & { readonly disabledAt?: Date | null; readonly secretHash?: Buffer },
): Promise<void> {
  await db
    .updateTable('oauthClients')
    .set({ ...stored(change), updatedAt: clock.now() })
    .where('id', '=', id)
    .execute()
}

export async function deleteClient(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauthClients').where('id', '=', id).execute()
}

/** Encodes lists for the driver. */
function stored<T extends Partial<ClientFacts>>(facts: T) {
  const { name, redirect_uris, post_logout_redirect_uris, scopes, grants, id_token_alg, require_pkce } = facts
  const { disabledAt, secretHash } = facts as { disabledAt?: Date | null; secretHash?: Buffer } // of a change
  const all = {
    ...{
      name,
      idTokenAlg: id_token_alg,
      requirePkce: require_pkce,
      disabledAt,
      secretHash,
    },
    redirectUris: redirect_uris && [...redirect_uris],
    postLogoutRedirectUris: post_logout_redirect_uris && [...post_logout_redirect_uris],
    scopes: scopes && [...scopes],
    grants: grants && [...grants],
  }
  return all as Required<{ [K in keyof typeof all]: NonNullable<(typeof all)[K]> }> // absent ones are left unchanged
}
