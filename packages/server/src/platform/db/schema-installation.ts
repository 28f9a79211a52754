import type { ColumnType, Generated } from 'kysely'

/** Keys of the installation; see platform/installation-keys. */
export interface InstallationKeyTable {
  /** Rising with age; the first one is never replaced. */
  n: Generated<number>
  /** Null: the key is the master secret, as in installations from before there were such keys. */
  sealed: Buffer | null
  isCurrent: boolean
  createdAt: ColumnType<Date, never, never>
}

/** What an installation knows of itself, by name. */
export interface InstallationFactTable {
  name: string
  value: string
}

/** The country database that was fetched last; one row at most. */
export interface CountryDatabaseTable {
  isOnly: Generated<boolean>
  /** SHA-256 of the content, hexadecimal. */
  version: string
  source: string
  builtAt: Date
  fetchedAt: Date
  bytes: number
  content: Buffer
}
