import { fieldsWith } from '@gatehouse/contract/directory/user-fields'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { ListFacts, UserFilter } from '../../directory/users/user-list-store.ts'
import { csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import { readPackageLines, readPackages, readSkus } from '../../subscriptions/sku-store.ts'
import { userFlags } from '../../users/user.ts'
import { type UserRow, userRows } from './export-store.ts'

/** Rows per query, so that memory use doesn't grow with the list. */
const atOnce = 500

const columns = [
  'email',
  ...fieldsWith('headings'),
  'aliases',
  'package',
  'quota',
  'mail_used',
  'status',
  'created_at',
  'id',
] as const

/**
 * The user list as CSV, sorted by address, with the columns that a user import reads; the last three are
 * informational, and so is `mail_used`, in MB and empty if it wasn't measured. `package` has exactly the user's
 * subscriptions, regardless of storage; `quota` is the storage in GB.
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
    const rows = await userRows(db, reader.userId, filter, facts, { after, limit: atOnce })
    yield rows.map((row) => present(row, catalogue, facts.withLdap)).join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.email
  }
}

/** The storage SKUs, and the packages by their contents. */
export interface Catalogue {
  readonly storage: ReadonlySet<string>
  readonly packages: readonly { readonly title: string; readonly contents: string }[]
}

export async function readCatalogue(db: Db, tenantId: number): Promise<Catalogue> {
  const storage = new Set(
    (await readSkus(db, tenantId)).filter((sku) => sku.handler === 'Storage').map((sku) => sku.id),
  )
  const packages = []
  for (const { id, title } of await readPackages(db, tenantId)) {
    const lines = (await readPackageLines(db, id)).map((line): [string, number] => [line.skuId, line.qty])
    packages.push({ title, contents: contentsOf(lines, storage) })
  }
  return { storage, packages }
}

/** A user's subscriptions except storage, in a comparable form. */
function contentsOf(units: readonly (readonly [string, number])[], storage: ReadonlySet<string>): string {
  return units
    .filter(([id]) => !storage.has(id))
    .map(([id, count]) => `${id} ${count}`)
    .sort()
    .join()
}

/** The title of the package with exactly these subscriptions, regardless of storage, and the storage in GB. */
export function packageOfUnits(
  { storage, packages }: Catalogue,
  held: Readonly<Record<string, number>>,
): { readonly title: string | null; readonly quota: number } {
  const units = Object.entries(held)
  const contents = contentsOf(units, storage)
  const quota = units.filter(([id]) => storage.has(id)).reduce((sum, [, count]) => sum + count, 0)
  return { title: packages.find((one) => one.contents === contents)?.title ?? null, quota }
}

function present(row: UserRow, catalogue: Catalogue, withLdap: boolean): string {
  const { settings } = row
  const { title, quota } = packageOfUnits(catalogue, row.units)
  return csvRow([
    row.email,
    ...fieldsWith('headings').map((name) => settings[name] ?? null),
    row.aliases.join(' '),
    title,
    quota,
    row.mailKib === null ? null : Math.ceil(row.mailKib / 1024),
    stateOf(row, withLdap),
    momentCell(row.createdAt),
    row.id,
  ])
}

function stateOf(row: UserRow, withLdap: boolean): string {
  const flags = userFlags({ status: row.status, deletedAt: row.deletedAt }, false, withLdap)
  if (flags.isDeleted) return 'deleted'
  if (flags.isSuspended) return 'suspended'
  if (hasBit(row.status, userStatus.degraded)) return 'degraded'
  return flags.isReady ? 'active' : 'pending'
}
