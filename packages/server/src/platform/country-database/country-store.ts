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
    .selectFrom('countryDatabase')
    .select(['version', 'source', 'builtAt', 'fetchedAt', 'bytes'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { version, source, bytes } = row
  return { version, source, bytes, builtAt: row.builtAt, fetchedAt: row.fetchedAt }
}

/** Undefined: another version has taken its place. */
export async function readCountryContent(db: Db, version: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('countryDatabase')
    .select('content')
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.content
}

/** Puts a database in the place of the one before. The same bytes again only note when and from where. */
export async function storeCountries(db: Db, facts: CountryFacts, content: Buffer): Promise<void> {
  const { version, source, bytes } = facts
  const noted = { source, fetchedAt: facts.fetchedAt }
  const same = await db
    .updateTable('countryDatabase')
    .set(noted)
    .where('version', '=', version)
    .executeTakeFirst()
  if (same.numUpdatedRows > 0n) return
  const row = { ...noted, version, bytes, builtAt: facts.builtAt, content }
  await db
    .insertInto('countryDatabase')
    .values(row)
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(row))
    .execute()
}
