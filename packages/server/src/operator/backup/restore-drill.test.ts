import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '../../billing/ledger/post.ts'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { loadConfig } from '../../main/settings/config.ts'
import { type Database, openDatabase } from '../../platform/db/database.ts'
import { catalogueOf, rowsOf } from '../../testing/catalogue-of-database.ts'
import { signInAs } from '../../testing/factories.ts'
import { type FileOwner, fileOwner, makeFileOwner, sha256Hex } from '../../testing/files.ts'
import {
  createTestApp,
  type Installation,
  makeInstallation,
  type TestApp,
  testSecret,
} from '../../testing/test-app.ts'
import { demoPassword } from '../demo/demo-data.ts'
import { makeDemoFiles } from '../demo/demo-files.ts'
import { loadDemo } from '../demo/load-demo.ts'
import { emptyInstallation, runBackup } from './testing/backup-desk.ts'

const slow = { timeout: 120_000 }

let installation: Installation
let app: TestApp
let owner: FileOwner
let note: string
let backup: string

/** The demo with files and waiting jobs, a backup of it, and changes made after that. */
beforeAll(async () => {
  installation = await makeInstallation()
  app = await createTestApp({}, undefined, { installation })
  const { database, clock, secrets } = app
  const config = loadConfig({ DATA_DIR: app.dataDir })
  await loadDemo(database.db, clock, app.hasher, { config, secrets })
  await makeDemoFiles({ db: database.db, clock, config, secrets })
  owner = await makeFileOwner(app)
  await owner.upload('big', randomBytes(3_000_000))
  note = await owner.upload('note', 'written before the backup')
  backup = join(installation.dataDir, 'backups', 'first')
}, slow.timeout)
afterAll(async () => {
  await app.close()
  await installation[Symbol.asyncDispose]()
})

/** All rows by table as checksums, those of the job queue included. */
async function stateOf({ pool }: Database): Promise<Record<string, unknown>> {
  const jobs = await pool.query('select * from graphile_worker._private_jobs order by id')
  const migrations = await pool.query('select * from kysely_migration order by name')
  const sequences = await pool.query('select s::text from pg_sequences s order by 1')
  const rest = { jobs: jobs.rows, migrations: migrations.rows, sequences: sequences.rows }
  return { ...(await rowsOf(pool)), ...rest }
}

/** Checksums of the files below a folder, by path. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sums: Record<string, string> = {}
  for (const path of files.sort()) sums[path.slice(folder.length)] = sha256Hex(await readFile(path))
  return sums
}

test('a restored installation is identical, and its users sign in and read their files', slow, async () => {
  const [before, catalogue, files] = [
    await stateOf(app.database),
    await catalogueOf(app.database.pool),
    await filesIn(join(app.dataDir, 'files')),
  ]
  expect(Object.keys(before).length).toBeGreaterThan(100)
  expect(Object.keys(files).length).toBeGreaterThan(3)
  await runBackup(installation, app.clock, 'backup:create', [backup])
  expect((await stat(backup)).mode & 0o777).toBe(0o700)
  // made after the backup, so it isn't restored
  await owner.upload('later', 'not in the backup')

  await using restored = await emptyInstallation()
  const lines = await runBackup(restored, app.clock, 'backup:restore', [backup])
  expect(lines.at(-1)).toMatch(/^Ledger: consistent\. Files: (\d+) of \1 intact\.$/)
  await using database = openDatabase(restored.url, 2, () => {})
  expect(await stateOf(database)).toEqual(before)
  expect(await catalogueOf(database.pool)).toEqual(catalogue)
  expect(await filesIn(join(restored.dataDir, 'files'))).toEqual(files)

  await using again = await createTestApp({}, undefined, { installation: restored })
  await signInAs(again, { email: 'jane@acme.test', password: demoPassword })
  const sameOwner = await fileOwner(again, owner.user)
  expect(await sameOwner.content(note)).toBe('written before the backup')
  expect(await sameOwner.names()).toEqual(['big', 'note'])
  expect(await verifyLedger(again.database.db)).toEqual([])
})

test('a backup made while servers write contains one consistent state', slow, async () => {
  const target = join(installation.dataDir, 'backups', 'busy')
  const { db } = app.database
  let isDone = false
  let posted = 0
  const write = async () => {
    while (!isDone) {
      await db.transaction().execute((trx) =>
        post(trx, app.clock, {
          key: `busy:${posted++}`,
          walletId: owner.user.walletId,
          type: 'award',
          amount: 1,
          text: 'award',
        }),
      )
      if (posted % 5 === 0) await owner.upload(`busy ${posted}`, randomBytes(1000))
    }
  }
  const backUp = async () => {
    await runBackup(installation, app.clock, 'backup:create', [target])
    isDone = true
  }
  await Promise.all([write(), backUp()])
  expect(posted).toBeGreaterThan(20)
  await using restored = await emptyInstallation()
  const [answer = ''] = await runBackup(restored, app.clock, 'backup:restore', [target, '--json'])
  expect(JSON.parse(answer)).toMatchObject({ ledgerProblems: [], damagedContents: [] })
})

test('the master secret of a backup is written to the data folder if no setting has it', slow, async () => {
  await using restored = await emptyInstallation()
  const none = { SECRET_KEY: undefined }
  await runBackup(restored, app.clock, 'backup:restore', [backup], none)
  const secret = await readFile(join(restored.dataDir, 'secrets/master'), 'utf8')
  expect(secret).toBe(`${testSecret}\n`)
  await using other = await emptyInstallation()
  const another = { SECRET_KEY: 'x'.repeat(40) }
  const refused = runBackup(other, app.clock, 'backup:restore', [backup], another)
  await expect(refused).rejects.toThrow("SECRET_KEY isn't the master secret of the backup.")
})

test('existing contents are replaced only if the database is named', slow, async () => {
  await using used = await makeInstallation()
  const restore = (...args: string[]) => runBackup(used, app.clock, 'backup:restore', [backup, ...args])
  const name = /\/(test_\w+)/.exec(used.url)?.[1] ?? ''
  await expect(restore()).rejects.toThrow(`The database ${name} isn't empty.`)
  await expect(restore('--replace=portal')).rejects.toThrow(`The database is called ${name}, not portal.`)
  await mkdir(join(used.dataDir, 'files'))
  await writeFile(join(used.dataDir, 'files', 'kept'), 'kept')
  await restore(`--replace=${name}`)
  await using again = await createTestApp({}, undefined, { installation: used })
  expect(await (await fileOwner(again, owner.user)).names()).toEqual(['big', 'note'])
  expect(await readFile(join(used.dataDir, 'files', 'kept'), 'utf8')).toBe('kept')
})

test('a folder with other files is refused', slow, async () => {
  await using used = await emptyInstallation()
  await mkdir(join(used.dataDir, 'files'), { recursive: true })
  await writeFile(join(used.dataDir, 'files', 'other'), 'other')
  const refused = runBackup(used, app.clock, 'backup:restore', [backup])
  await expect(refused).rejects.toThrow('contains files')
})

test('a database is not restored under a running server', slow, async () => {
  await using used = await makeInstallation()
  await using running = await createTestApp({}, undefined, { installation: used })
  await running.jobs.start(1)
  const name = /\/(test_\w+)/.exec(used.url)?.[1] ?? ''
  const refused = runBackup(used, app.clock, 'backup:restore', [backup, `--replace=${name}`])
  await expect(refused).rejects.toThrow('A server is running on this database.')
})

test('a list of the files can replace their content', slow, async () => {
  const target = join(installation.dataDir, 'backups', 'listed')
  const [answer = ''] = await runBackup(installation, app.clock, 'backup:create', [
    target,
    '--files=list',
    '--json',
  ])
  expect(JSON.parse(answer).files).toMatchObject({ kind: 'listed', bytes: 0 })
  expect(JSON.parse(answer).files.pieces).toBeGreaterThan(3)
  expect(await readdir(target)).not.toContain('files')
  await runBackup(installation, app.clock, 'backup:verify', [target])
})
