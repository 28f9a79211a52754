import type { Db } from '../db/database.ts'

/** Metadata of the stored country database. */
export interface CountryFacts {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly version: string
  /** Its source, without the query of a URL. */
  readonly source: string
  readonly builtAt: Date
  /** Last successful request to the source. */
  readonly fetchedAt: Date
  readonly bytes: number
}

/** Undefined if none was ever stored. */
export async function readCountryFacts(db: Db): Promise<CountryFacts | undefined> {
  const row = await db
    .selectFrom('countryDatabase')
    .select(['version', 'source', 'builtAt', 'fetchedAt', 'bytes'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { version, source, bytes } = row
  return { version, source, bytes, builtAt: row.builtAt, fetchedAt: row.fetchedAt }
}

/** Undefined if another version has replaced it. */
export async function readCountryContent(db: Db, version: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('countryDatabase')
    .select('content')
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.content
}

/** Replaces the stored database. If the bytes are the same, only date and source are updated. */
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
