import type { ColumnType } from 'kysely'

/** When a row was made: written once. */
export type Created = ColumnType<Date, Date, never>
