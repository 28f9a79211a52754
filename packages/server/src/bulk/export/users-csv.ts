import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { type ListFacts, type UserFilter, userMatches } from '../../directory/users/user-list.ts'
import { csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import { readPackageLines, readPackages, readSkus } from '../../subscriptions/sku-store.ts'
import { userFlags } from '../../users/user.ts'

/** Rows that are read at once, so that the memory does not grow with the list. */
const atOnce = 500

interface Row {
  id: number
  email: string
  status: number
  created_at: Date
  deleted_at: Date | null
  settings: Record<string, string>
  aliases: string[]
  units: Record<string, number>
}

const columns = [
  'email',
  'first_name',
  'last_name',
  'organization',
  'phone',
  'external_email',
  'country',
  'aliases',
  'package',
  'quota',
  'status',
  'created_at',
  'id',
] as const

/**
 * The list of users as CSV, by address, with the columns that an import of users reads; the last three are for
 * people only. `package` is the one that has exactly the user's subscriptions, whatever its storage; `quota` is
 * the storage in GB.
 */
export async function* usersCsv(
  db: Db,
  reader: { readonly userId: number; readonly tenantId: number },
  filter: UserFilter,
  facts: ListFacts,
): AsyncGenerator<string> {
  const catalogue = await readCatalogue(db, reader.tenantId)
  yield csvRow(columns)
  let after = ''
  for (;;) {
    const rows = await readSome(db, reader.userId, filter, facts, after)
    yield rows.map((row) => present(row, catalogue, facts.withLdap)).join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.email
  }
}

async function readSome(
  db: Db,
  readerId: number,
  filter: UserFilter,
  facts: ListFacts,
  after: string,
): Promise<Row[]> {
  const { rows } = await sql<Row>`select u.id, u.email, u.status, u.created_at, u.deleted_at,
      (select coalesce(json_object_agg(key, value), '{}') from user_settings where user_id = u.id) as settings,
      array(select address from addresses where kind = 'alias' and object_id = u.id order by 1) as aliases,
      (select coalesce(json_object_agg(sku_id, units), '{}') from (
        select sku_id, count(*) as units from entitlements
        where object_type = 'user' and object_id = u.id and deleted_at is null group by sku_id) held) as units
    from users u where ${userMatches(readerId, filter, facts)} and u.email > ${after}
    order by u.email limit ${atOnce}`.execute(db)
  return rows
}

interface Catalogue {
  readonly storage: ReadonlySet<string>
  readonly packages: readonly { readonly title: string; readonly contents: string }[]
}

async function readCatalogue(db: Db, tenantId: number): Promise<Catalogue> {
  const storage = new Set(
    (await readSkus(db, tenantId)).filter((sku) => sku.handler === 'Storage').map((sku) => sku.id),
  )
  const packages = []
  for (const { id, title } of await readPackages(db, tenantId)) {
    const lines = (await readPackageLines(db, id)).map((line): [string, number] => [line.sku_id, line.qty])
    packages.push({ title, contents: contentsOf(lines, storage) })
  }
  return { storage, packages }
}

/** What somebody has apart from storage, in a form that can be compared. */
function contentsOf(units: readonly (readonly [string, number])[], storage: ReadonlySet<string>): string {
  return units
    .filter(([id]) => !storage.has(id))
    .map(([id, count]) => `${id} ${count}`)
    .sort()
    .join()
}

function present(row: Row, { storage, packages }: Catalogue, withLdap: boolean): string {
  const { settings } = row
  const units = Object.entries(row.units)
  const contents = contentsOf(units, storage)
  const quota = units.filter(([id]) => storage.has(id)).reduce((sum, [, count]) => sum + count, 0)
  const setting = (key: string) => settings[key] ?? null
  return csvRow([
    row.email,
    setting('first_name'),
    setting('last_name'),
    setting('organization'),
    setting('phone'),
    setting('external_email'),
    setting('country'),
    row.aliases.join(' '),
    packages.find((one) => one.contents === contents)?.title ?? null,
    quota,
    stateOf(row, withLdap),
    momentCell(row.created_at),
    row.id,
  ])
}

function stateOf(row: Row, withLdap: boolean): string {
  const flags = userFlags({ status: row.status, deletedAt: row.deleted_at }, false, withLdap)
  if (flags.isDeleted) return 'deleted'
  if (flags.isSuspended) return 'suspended'
  if (hasBit(row.status, userStatus.degraded)) return 'degraded'
  return flags.isReady ? 'active' : 'pending'
}
