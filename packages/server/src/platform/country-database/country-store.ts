import type { Db } from '../db/database.ts'

/** What is known of the stored country database without reading it. */
export interface CountryFacts {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly version: string
  /** Where it came from, without the query of an address. */
  readonly source: string
  readonly builtAt: Date
  /** When the source was last asked with success. */
  readonly fetchedAt: Date
  readonly bytes: number
}

/** Undefined: none was ever stored. */
export async function readCountryFacts(db: Db): Promise<CountryFacts | undefined> {
  const row = await db
    .selectFrom('country_database')
    .select(['version', 'source', 'built_at', 'fetched_at', 'bytes'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { version, source, bytes } = row
  return { version, source, bytes, builtAt: row.built_at, fetchedAt: row.fetched_at }
}

/** Undefined: another version has taken its place. */
export async function readCountryContent(db: Db, version: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('country_database')
    .select('content')
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.content
}

/** Puts a database in the place of the one before. The same bytes again only note when and from where. */
export async function storeCountries(db: Db, facts: CountryFacts, content: Buffer): Promise<void> {
  const { version, source, bytes } = facts
  const noted = { source, fetched_at: facts.fetchedAt }
  const same = await db
    .updateTable('country_database')
    .set(noted)
    .where('version', '=', version)
    .executeTakeFirst()
  if (same.numUpdatedRows > 0n) return
  const row = { ...noted, version, bytes, built_at: facts.builtAt, content }
  await db
    .insertInto('country_database')
    .values(row)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
    .execute()
}
