import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documented = new Set(
  [...read('docs/SETTINGS.md').matchAll(/^\| `([A-Z_\d]+)` \|/gm)].map(([, name]) => name),
)

test.each([
  ['deploy/systemd/portal.env', /^#?([A-Z][A-Z_\d]+)=/gm],
  ['deploy/systemd/gateway.env', /^#?([A-Z][A-Z_\d]+)=/gm],
])('%s sets only settings that exist', (file, setting) => {
  const names = [...read(file).matchAll(setting)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !documented.has(name))).toEqual([])
})
