import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from './version.ts'

const root = join(import.meta.dirname, '../../../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('is the newest version in the changelog', () => {
  const [, newest] = /^## \[(\d+\.\d+\.\d+)\] - /m.exec(read('CHANGELOG.md')) ?? []
  expect(newest).toBe(version)
})

test('is stated by the root package only', () => {
  const folders = Object.keys(JSON.parse(read('package-lock.json')).packages)
  const workspaces = folders.filter((folder) => folder !== '' && !folder.includes('node_modules'))
  expect(workspaces.length).toBeGreaterThan(5)
  const stating = workspaces.filter((folder) => 'version' in JSON.parse(read(`${folder}/package.json`)))
  expect(stating).toEqual([])
})
