import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from './config.ts'
import { settingsDocument } from './settings-document.ts'

const read = (path: string) => readFile(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

test('docs/SETTINGS.md equals the output of `config:document`', async () => {
  expect(await read('docs/SETTINGS.md')).toBe(settingsDocument())
})

test('every setting has a row and a description', () => {
  const matches = settingsDocument().matchAll(/^\| `(\w+)` \|.*\| (.+) \|$/gm)
  const rows = [...matches].map(([, name = '']) => name)
  expect(rows.toSorted()).toEqual(Object.keys(settings.shape).toSorted())
})

test('the rows shown in the README are rows of docs/SETTINGS.md', async () => {
  const rows = (await read('README.md')).split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line))
  expect(rows.length).toBeGreaterThan(5)
  const document = settingsDocument().split('\n')
  expect(rows.filter((row) => !document.includes(row))).toEqual([])
})
