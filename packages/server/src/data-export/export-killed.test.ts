import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GarbageCollection } from '../files/gc/collect-garbage.ts'
import { loadConfig } from '../main/settings/config.ts'
import { day } from '../platform/clock.ts'
import { databaseGate } from '../testing/database-gate.ts'
import { makeUser } from '../testing/factories.ts'
import { fileOwner } from '../testing/files.ts'
import { createTestApp, type Installation, makeInstallation, type TestApp } from '../testing/test-app.ts'
import { signingKey } from './archive/signing-key.ts'
import { exportJob } from './exports.ts'
import { exportDesk } from './testing/export-desk.ts'
import { readKeys } from './verify/read-keys.ts'
import { verifyArchive } from './verify/verify-archive.ts'

let installation: Installation
let app: TestApp

beforeAll(async () => {
  installation = await makeInstallation()
  app = await createTestApp({}, undefined, { installation })
})
afterAll(async () => {
  await app.close()
  await installation[Symbol.asyncDispose]()
})

const archives = () =>
  app.database.db
    .selectFrom('fsContents')
    .select(['id', 'state'])
    .where('mimetype', '=', 'application/zip')
    .execute()

async function requested() {
  const owner = await fileOwner(app, await makeUser(app))
  for (let n = 0; n < 5; n++) await owner.upload(`file ${n}`, `content ${n}`)
  const { body } = await owner.call('POST /api/v4/exports', { body: { kind: 'person' } })
  const id: string = body.id
  return { id, owner, desk: exportDesk(app, owner) }
}

async function verify(file: string) {
  const keys = join(app.dataDir, 'keys.json')
  await writeFile(keys, JSON.stringify({ keys: [signingKey(app.secrets).published] }))
  return verifyArchive(file, await readKeys(keys))
}

test('an export that loses its process at any point is never offered unfinished, and completes later', async () => {
  const { id, owner, desk } = await requested()
  await using gate = await databaseGate(installation.url)
  let kills = 0
  for (let at = 1, isDone = false; !isDone; at *= 3) {
    const dying = await createTestApp({}, undefined, { installation, databaseUrlOf: () => gate.url })
    gate.shutAt(at, 'before')
    isDone = await dying.jobs.perform(exportJob.name, { id }).then(
      async () => (await desk.list())[0]?.state === 'ready',
      () => false,
    )
    await gate.shut()
    await gate.open()
    await dying.close().catch(() => undefined)
    if (isDone) break
    kills++
    const [{ state } = { state: '' }] = await desk.list()
    expect(['waiting', 'running']).toContain(state)
    expect((await owner.call(`POST /api/v4/exports/${id}/download`)).status).toBe(409)
    await app.database.pool.query('update data_exports set attempts = 0')
  }
  expect(kills).toBeGreaterThan(2)
  await verify(await desk.save(id))
  expect((await archives()).filter(({ state }) => state === 'complete')).toHaveLength(1)
  // the remains of the attempts
  const collect = () => new GarbageCollection(app.files, loadConfig({})).run()
  app.clock.advance(day)
  await collect()
  app.clock.advance(day)
  await collect()
  expect(await archives()).toHaveLength(1)
}, 60_000)

test('two processes that write the same export leave one archive', async () => {
  const { id, desk } = await requested()
  const before = (await archives()).filter(({ state }) => state === 'complete').length
  await Promise.all([1, 2, 3].map(() => app.jobs.perform(exportJob.name, { id })))
  expect((await desk.list())[0]?.state).toBe('ready')
  expect((await archives()).filter(({ state }) => state === 'complete')).toHaveLength(before + 1)
  await verify(await desk.save(id))
})

test('an export whose process dies each time fails in the end, and its user is told', async () => {
  const { id, owner, desk } = await requested()
  await app.database.pool.query('update data_exports set attempts = 5 where id = $1', [id])
  await app.jobs.perform(exportJob.name, { id })
  expect(await desk.list()).toMatchObject([{ state: 'failed', size: null }])
  const mail = (await app.mails()).find(({ subject }) => subject.includes('export failed'))
  expect(JSON.stringify(mail?.to)).toContain(owner.user.email)
  // a new one can be requested
  expect((await owner.call('POST /api/v4/exports', { body: { kind: 'person' } })).status).toBe(200)
})
