import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secrets } from '../../platform/secrets.ts'
import { makeUser } from '../../testing/factories.ts'
import { fileOwner } from '../../testing/files.ts'
import { createTestApp, type Installation, makeInstallation } from '../../testing/test-app.ts'
import { FileKeys } from './file-keys.ts'
import { WrongFolder } from './folder-mark.ts'

let installation: Installation
let elsewhere: string

beforeEach(async () => {
  installation = await makeInstallation()
  elsewhere = await mkdtemp(join(tmpdir(), 'gatehouse-elsewhere-'))
})
afterEach(async () => {
  await installation[Symbol.asyncDispose]()
  await rm(elsewhere, { recursive: true, force: true })
})

const start = (FILES_FOLDER?: string) => createTestApp({ FILES_FOLDER }, undefined, { installation })

test("the server doesn't start if an empty folder replaces the content folder", async () => {
  const app = await start()
  const user = await makeUser(app)
  const file = await (await fileOwner(app, user)).upload('a.txt', 'content')
  await app.close()
  const refused = start(elsewhere)
  await expect(refused).rejects.toThrow(WrongFolder)
  await expect(refused).rejects.toThrow(`FILES_FOLDER: ${elsewhere} is not the folder`)
  // the folder itself may be moved
  await cp(join(installation.dataDir, 'files'), elsewhere, { recursive: true })
  const moved = await start(elsewhere)
  expect(await (await fileOwner(moved, user)).content(file)).toBe('content')
  await moved.close()
})

test("the server doesn't start with another installation's folder", async () => {
  await (await start()).close()
  await using other = await makeInstallation()
  await (await createTestApp({ FILES_FOLDER: elsewhere }, undefined, { installation: other })).close()
  await expect(start(elsewhere)).rejects.toThrow('it belongs to another installation')
})

test("the error names a folder that can't be created", async () => {
  const file = join(elsewhere, 'a-file')
  await writeFile(file, '')
  await expect(start(join(file, 'files'))).rejects.toThrow(
    `FILES_FOLDER: the folder ${join(file, 'files')} can't be used (ENOTDIR).`,
  )
})

test('a lost mark can be restored as the message describes', async () => {
  await (await start()).close()
  const mark = join(installation.dataDir, 'files/gatehouse-files')
  const text = await readFile(mark, 'utf8')
  await rm(mark)
  await expect(start()).rejects.toThrow(`write ${text.trim()} into ${mark}`)
  await writeFile(mark, text)
  await (await start()).close()
})

test('a start interrupted between writing the mark to the folder and to the database is completed by the next one', async () => {
  const app = await start()
  await app.database.db.deleteFrom('installationFacts').execute()
  await app.close()
  await (await start()).close()
  await (await start()).close()
})

test('file keys sealed with another secret are never replaced', async () => {
  const app = await start()
  const { db } = app.database
  await app.files.keys.current()
  const before = await db.selectFrom('fsKeys').selectAll().execute()
  await expect(new FileKeys(db, app.clock, new Secrets('another secret')).make()).rejects.toThrow()
  expect(await db.selectFrom('fsKeys').selectAll().execute()).toEqual(before)
  await app.close()
})

test('a process that never handles content, such as the mail gateway, needs no folder', async () => {
  await (await start()).close()
  const parts = { installation, hasContent: false }
  await using gateway = await createTestApp({ FILES_FOLDER: elsewhere }, undefined, parts)
  await expect(gateway.files.store.probe()).rejects.toThrow('this process has no access to the content')
  expect(await readdir(elsewhere)).toEqual([])
})
