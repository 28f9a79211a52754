import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packClient } from './client.mjs'

const root = join(import.meta.dirname, '../..')

/** A consumer with what it may get wrong: the compiler has to find the second call's mistake. */
const consumer = `
import { ApiError, GatehouseClient } from 'gatehouse-client'

export const client = new GatehouseClient({ url: 'https://portal.example', key: 'gh_key', retries: 0 })
export async function address(): Promise<string> {
  const user = await client.call('GET /api/v4/users/{id}', { params: { id: '1' } })
  return user.email
}
// @ts-expect-error: the id is missing
export const wrong = () => client.call('GET /api/v4/users/{id}')
export const isError = (error: unknown) => error instanceof ApiError
`

test('the package of the client is usable without the project: its code runs and its types are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-client-package-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const date = new Date('2026-03-10T12:00:00Z')
  const archive = await packClient({ root, output: folder, version: '1.2.3', date })
  const installed = join(folder, 'node_modules/gatehouse-client')
  await mkdir(installed, { recursive: true })
  execFileSync('tar', ['--extract', '--file', archive, '--directory', installed, '--strip-components=1'])

  expect((await readdir(installed)).sort()).toEqual([
    ...['LICENSE', 'README.md', 'api-error.d.ts', 'calls.d.ts', 'client.d.ts', 'client.js'],
    ...['package.json', 'retry.d.ts'],
  ])
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).toMatchObject({
    ...{ name: 'gatehouse-client', version: '1.2.3', license: 'MIT' },
  })
  await writeFile(join(folder, 'consumer.mts'), consumer)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  execFileSync(process.execPath, [compiler, ...strict, ...types, 'consumer.mts'], {
    ...{ cwd: folder, stdio: 'inherit' },
  })
  const script = "import('gatehouse-client').then((all) => console.log(Object.keys(all).sort().join()))"
  const told = execFileSync(process.execPath, ['--eval', script], { cwd: folder, encoding: 'utf8' })
  expect(told.trim()).toBe('ApiError,GatehouseClient')
}, 60_000)
