import { cp, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { rowsOf } from '../../testing/catalogue-of-database.ts'
import { makeFileOwner } from '../../testing/files.ts'
import { buildPrograms, type Programs } from '../../testing/signup/program.ts'
import { createTestApp, type Installation, makeInstallation, testSecret } from '../../testing/test-app.ts'
import { openBackup, pathsOf, writeManifest } from './manifest-file.ts'
import { emptyInstallation, passphrase, runBackup } from './testing/backup-desk.ts'
import { verifyBackup } from './verify-backup.ts'

const slow = { timeout: 150_000 }
const clock = { now: () => new Date('2026-03-10T12:00:00Z') }

let folder: string
let installation: Installation
let backup: string
let programs: Programs

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-backups-'))
  installation = await makeInstallation()
  await using app = await createTestApp({}, undefined, { installation })
  await (await makeFileOwner(app)).upload('a file', 'its content')
  backup = join(folder, 'backup')
  await runBackup(installation, clock, 'backup:create', [backup])
  programs = await buildPrograms()
}, slow.timeout)
afterAll(async () => {
  await programs[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** A copy of the backup that a test may damage. */
async function copyOfBackup(): Promise<string> {
  const copy = await mkdtemp(join(folder, 'damaged-'))
  await cp(backup, copy, { recursive: true })
  return copy
}

async function pieceIn(copy: string): Promise<string> {
  const entries = await readdir(join(copy, 'files'), { recursive: true, withFileTypes: true })
  const piece = entries.find((entry) => /^[0-9a-f-]{36}$/.test(entry.name))
  if (piece === undefined) throw new Error('the backup has no pieces')
  return join(piece.parentPath, piece.name)
}

/** Changes one bit in the middle of a file. */
async function flip(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  const place = Math.floor((await handle.stat()).size / 2)
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place)
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, place)
  await handle.close()
}

const parts: readonly (readonly [string, (copy: string) => string | Promise<string>])[] = [
  ['the manifest', (copy) => pathsOf(copy).manifest],
  ['its signature', (copy) => pathsOf(copy).signature],
  ['the secrets', (copy) => pathsOf(copy).secrets],
  ['the definition of the schema', (copy) => pathsOf(copy).definition],
  ['the list of pieces', (copy) => pathsOf(copy).list],
  ['the rows of a table', (copy) => pathsOf(copy).rowsOf({ schema: 'public', name: 'users' })],
  ['a piece of a file', pieceIn],
]

test('an unchanged backup is intact', slow, async () => {
  const [line] = await runBackup(installation, clock, 'backup:verify', [backup])
  expect(line).toMatch(/is intact: made at 2026-03-10T12:00:00.000Z by version \d/)
})

test.each(parts)('a changed bit is noticed in %s', slow, async (_name, partOf) => {
  const copy = await copyOfBackup()
  await flip(await partOf(copy))
  await expect(verifyBackup(copy, passphrase)).rejects.toThrow(/damaged|changed/)
})

test.each(parts)('a truncated file is noticed: %s', slow, async (_name, partOf) => {
  const copy = await copyOfBackup()
  const file = await partOf(copy)
  await truncate(file, (await stat(file)).size - 1)
  await expect(verifyBackup(copy, passphrase)).rejects.toThrow(/damaged|changed/)
})

test.each(parts.slice(-2))('a missing file is noticed: %s', slow, async (_name, partOf) => {
  const copy = await copyOfBackup()
  await rm(await partOf(copy))
  await expect(verifyBackup(copy, passphrase)).rejects.toThrow(/damaged|not a finished backup/)
})

test('a wrong passphrase is refused', slow, async () => {
  await expect(verifyBackup(backup, 'another passphrase')).rejects.toThrow('The passphrase is wrong')
})

test('a short passphrase is refused', async () => {
  const short = { GATEHOUSE_BACKUP_PASSPHRASE: 'short' }
  const made = runBackup(installation, clock, 'backup:create', [join(folder, 'short')], short)
  await expect(made).rejects.toThrow('The passphrase must have at least 12 characters.')
})

test('nothing is written over an existing folder', async () => {
  const made = runBackup(installation, clock, 'backup:create', [backup])
  await expect(made).rejects.toThrow('already exists')
})

test('a backup of a newer version is refused and names both versions', slow, async () => {
  const copy = await copyOfBackup()
  const { manifest, secrets } = await openBackup(copy, passphrase)
  await rm(pathsOf(copy).manifest)
  await rm(pathsOf(copy).signature)
  const newer = { ...manifest, version: '99.1.0', migrations: [...manifest.migrations, '9999-newer'] }
  await writeManifest(copy, newer, secrets.manifestKey)
  await using empty = await emptyInstallation()
  const restored = runBackup(empty, clock, 'backup:restore', [copy])
  await expect(restored).rejects.toThrow(
    /by version 99\.1\.0 \(schema 9999-newer\), this is version \S+ \(schema \S+\)\. Restore it with version 99\.1\.0 or newer\./,
  )
})

test('content that the store lacks is reported at once', slow, async () => {
  await using broken = await makeInstallation()
  await using app = await createTestApp({}, undefined, { installation: broken })
  await (await makeFileOwner(app)).upload('a file', 'lost')
  await rm(await pieceIn(broken.dataDir))
  const target = join(folder, 'incomplete')
  await expect(runBackup(broken, clock, 'backup:create', [target])).rejects.toThrow(
    'The backup is complete, but the store lacks 1 pieces of files.',
  )
})

const settingsOf = ({ url, dataDir }: Pick<Installation, 'url' | 'dataDir'>) => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  SECRET_KEY: testSecret,
  GATEHOUSE_BACKUP_PASSPHRASE: passphrase,
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(5)
}

test('a backup killed in the middle is recognisable, and the next one succeeds', slow, async () => {
  const target = join(folder, 'killed')
  const running = programs.start('cli', settingsOf(installation), 'backup:create', target)
  const begun = async () => (await readdir(folder)).find((name) => name.startsWith('killed.unfinished-'))
  await until(async () => {
    const name = await begun()
    if (name === undefined) return false
    const dumped = await readdir(join(folder, name, 'database')).catch(() => [])
    return dumped.length > 5
  })
  running.kill()
  await running.ended
  expect(await readdir(folder)).not.toContain('killed')
  const left = join(folder, (await begun()) ?? '')
  await expect(verifyBackup(left, passphrase)).rejects.toThrow('is not a finished backup')
  const { code, output } = await programs.run('cli', settingsOf(installation), 'backup:create', target)
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('pieces of files') })
  await verifyBackup(target, passphrase)
})

test('a restore killed in the middle changes no database, and the next one completes it', slow, async () => {
  await using source = openDatabase(installation.url, 2, () => {})
  await using empty = await emptyInstallation()
  await using database = openDatabase(empty.url, 2, () => {})
  const running = programs.start('cli', settingsOf(empty), 'backup:restore', backup)
  const loading = async () => {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database() and query like 'copy "public"%'`,
    )
    return rows[0]?.n === 1
  }
  await until(loading)
  running.kill()
  await running.ended
  await until(async () => !(await loading()))
  expect(await rowsOf(database.pool)).toEqual({})
  expect(await readdir(join(empty.dataDir, 'files'))).toContain('gatehouse-restore')
  await writeFile(await pieceIn(empty.dataDir), 'half of a piece')
  const { code, output } = await programs.run('cli', settingsOf(empty), 'backup:restore', backup)
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Files: 1 of 1 intact.') })
  expect(await rowsOf(database.pool)).toEqual(await rowsOf(source.pool))
})
