import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schema } from './schema.ts'

const source = join(import.meta.dirname, '../..')

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql') && !file.includes('/migrations/'))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

test('every SQL file is applied once', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(files.map(({ text }) => text).sort()).toEqual([...schema].sort())
})

test('every table and view has a comment above it', () => {
  const bare = files.flatMap(({ file, text }) =>
    [...text.matchAll(/^(.*)\ncreate (?:table|view) (\w+)/gm)]
      .filter(([, above = '']) => !above.startsWith('-- '))
      .map(([, , name]) => `${file}: ${name}`),
  )
  expect(bare).toEqual([])
})
