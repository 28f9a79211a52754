import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { callTypes } from './call-types.ts'
import { typeText } from './type-text.ts'

const root = join(import.meta.dirname, '../../..')
const file = join(import.meta.dirname, '../src/calls.ts')

test('the types of the calls are those of the contract; update them with `npm test -- packages/client -u`', async () => {
  await expect(formatted(callTypes())).toMatchFileSnapshot(file)
})

function formatted(text: string): string {
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['format', `--stdin-file-path=${file}`]
  return execFileSync(biome, args, { cwd: root, input: text, encoding: 'utf8' })
}

test.each([
  [z.string().nullable(), 'string | null'],
  [z.array(z.union([z.literal('a'), z.number().int()])), '("a" | number)[]'],
  [z.tuple([z.string(), z.boolean()]), '[string, boolean]'],
  [z.object({ 'a-b': z.string().optional() }), '{ "a-b"?: string }'],
  [z.record(z.string(), z.array(z.string())), 'Record<string, string[]>'],
  [z.unknown(), 'unknown'],
  [z.enum(['on', 'off']), '"on" | "off"'],
])('a schema becomes the type that it accepts (%#)', (schema, text) => {
  expect(typeText(z.toJSONSchema(schema))).toBe(text)
})
