import type { ColumnType } from 'kysely'

/** When a row was made: written once. */
export type Created = Once<Date>

/** Written with its row, and never again. */
export type Once<T> = ColumnType<T, T, never>

/** Null until it is written, after its row. */
export type Later<T> = ColumnType<T | null, never, T>

/** Written by the database only. */
export type Computed<T> = ColumnType<T, never, never>

/** JSON, which is written as text. */
export type Json<T> = ColumnType<T, string, string>

/** JSON of a column that may be null. */
export type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>
