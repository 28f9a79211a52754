import type { ColumnType } from 'kysely'

/** Creation date of a row, written once. */
export type Created = Once<Date>

/** Written on insert and never updated. */
export type Once<T> = ColumnType<T, T, never>

/** Null on insert, written by an update. */
export type Later<T> = ColumnType<T | null, never, T>

/** Written only by the database. */
export type Computed<T> = ColumnType<T, never, never>

/** JSON, serialised as text for writing. */
export type Json<T> = ColumnType<T, string, string>

/** Nullable JSON. */
export type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>
