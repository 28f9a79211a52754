import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { likePattern } from '../../platform/db/like-pattern.ts'
import type { ClientFacts, ClientRow } from './client.ts'

const columns = [
  'id',
  'name',
  'secret_hash',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'grants',
  'id_token_alg',
  'require_pkce',
  'built_in',
  'disabled_at',
  'created_at',
  'updated_at',
] as const

/** One application, whatever its state. */
export function readClient(db: Db, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').select(columns).where('id', '=', id).executeTakeFirst()
}

/** The application that the settings make under this name. */
export function readBuiltIn(db: Db, name: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').select(columns).where('built_in', '=', name).executeTakeFirst()
}

/** Holds an application until the transaction ends. */
export function holdClient(trx: Db, id: string): Promise<ClientRow | undefined> {
  return trx.selectFrom('oauth_clients').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function listClients(
  db: Db,
  search: string | null | undefined,
  part: { readonly limit: number; readonly offset: number },
): Promise<ClientRow[]> {
  const all = db.selectFrom('oauth_clients').select(columns)
  const found = search ? all.where('name', 'ilike', likePattern(search)) : all
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
    .insertInto('oauth_clients')
    .values({
      ...stored(client),
      id: client.id,
      require_pkce: client.require_pkce || client.secretHash === null,
      secret_hash: client.secretHash,
      built_in: client.builtIn ?? null,
      disabled_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

export async function updateClient(
  db: Db,
  clock: Clock,
  id: string,
  change: Partial<ClientFacts> & { readonly disabled_at?: Date | null; readonly secret_hash?: Buffer },
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ ...stored(change), updated_at: clock.now() })
    .where('id', '=', id)
    .execute()
}

export async function deleteClient(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauth_clients').where('id', '=', id).execute()
}

/** Lists as the driver wants them. */
function stored<T extends Partial<ClientFacts>>(facts: T) {
  const { name, redirect_uris, post_logout_redirect_uris, scopes, grants, id_token_alg, require_pkce } = facts
  const { disabled_at, secret_hash } = facts as { disabled_at?: Date | null; secret_hash?: Buffer } // of a change
  const all = {
    ...{ name, id_token_alg, require_pkce, disabled_at, secret_hash },
    redirect_uris: redirect_uris && [...redirect_uris],
    post_logout_redirect_uris: post_logout_redirect_uris && [...post_logout_redirect_uris],
    scopes: scopes && [...scopes],
    grants: grants && [...grants],
  }
  return all as Required<{ [K in keyof typeof all]: NonNullable<(typeof all)[K]> }> // absent ones are left as they are
}
