import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLine } from '../../testing/command-line.ts'
import { type FileOwner, makeFileOwner } from '../../testing/files.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let owner: FileOwner
let folder = ''
const key = 'a master secret of more than 32 characters'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-file-commands-'))
  app = await createTestApp({ FILES_FOLDER: folder, SECRET_KEY: key })
  owner = await makeFileOwner(app)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (name: string, settings: Record<string, string> = {}) =>
  commandLine(() => app, { FILES_FOLDER: folder, SECRET_KEY: key, ...settings })(name)

test("the operator's verify command checks all content against its checksums, also after a key rotation", async () => {
  const id = await owner.upload('a.txt', 'content')
  await owner.upload('b.txt', '')
  expect(await run('files:verify')).toEqual(['2 content objects are intact.'])
  const [line] = await run('files:rotate-key')
  expect(line).toMatch(/^New key: [0-9a-f-]{36}$/)
  expect(await run('files:verify')).toEqual(['2 content objects are intact.'])
  expect(await owner.content(id)).toBe('content')
  const { db } = app.database
  const chunk = await db.selectFrom('fsChunks').select('id').executeTakeFirstOrThrow()
  await app.files.store.remove(chunk.id)
  await expect(run('files:verify')).rejects.toThrow('1 of 2 content objects are damaged.')
})

test('operator commands find unknown objects and run the garbage collection', async () => {
  const writer = await app.files.store.create('11111111-1111-4111-8111-111111111111')
  await writer.write([Buffer.from('stray')])
  await writer.commit()
  expect(await run('files:unknown')).toEqual(['11111111-1111-4111-8111-111111111111', '1 unknown objects.'])
  expect(await run('files:collect-garbage')).toEqual(['Done.'])
})
