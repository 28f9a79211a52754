import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { SelectType } from 'kysely'
import { expect, expectTypeOf, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import type { Overrides } from '../../platform/db/schema.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { rowTypes } from '../../testing/row-types.ts'

const root = join(import.meta.dirname, '../../../../..')
const file = join(root, 'packages/server/src/platform/db/tables.ts')

/** Overrides of non-existent columns. */
type Stray = {
  [T in keyof Overrides]: T extends keyof Tables ? Exclude<keyof Overrides[T], keyof Tables[T]> : T
}[keyof Overrides]

/** Overrides with types that don't fit their columns. */
type Wrong = {
  [T in keyof Overrides & keyof Tables]: {
    [C in keyof Overrides[T] & keyof Tables[T]]: SelectType<Overrides[T][C]> extends SelectType<Tables[T][C]>
      ? never
      : [T, C]
  }[keyof Overrides[T] & keyof Tables[T]]
}[keyof Overrides & keyof Tables]

test('the row types match the schema; update them with `npm test -- row-types -u`', async () => {
  await using clone = await cloneDatabase()
  await using database = openDatabase(clone.url, 1, () => {})
  const text = await rowTypes(database.pool)
  await expect(formatted(text)).toMatchFileSnapshot(file)
})

function formatted(text: string): string {
  const biome = join(root, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', `--stdin-file-path=${file}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
}

test('overrides refer to existing columns and have possible types', () => {
  expectTypeOf<Stray>().toBeNever()
  expectTypeOf<Wrong>().toBeNever()
})
