import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { loadConfig } from '../../../main/settings/config.ts'
import { withOutput } from '../../../platform/cli/answer.ts'
import type { Clock } from '../../../platform/clock.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { administer, databaseUrl } from '../../../testing/database.ts'
import { type Installation, testSecret } from '../../../testing/test-app.ts'
import { backupCommands } from '../backup-commands.ts'

/** The passphrase that the tests use. */
export const passphrase = 'correct horse battery'

/** An installation with an empty database and no data folder yet. */
export async function emptyInstallation(): Promise<Installation> {
  const name = `restored_${randomBytes(8).toString('hex')}`
  await administer(inject('adminUrl'), `create database ${name} template template0`)
  const parent = await mkdtemp(join(tmpdir(), 'gatehouse-restored-'))
  return {
    url: databaseUrl(inject('adminUrl'), name),
    dataDir: join(parent, 'data'),
    async [Symbol.asyncDispose]() {
      await administer(inject('adminUrl'), `drop database ${name} with (force)`)
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** Runs a command about backups like an operator; returns the printed lines. */
export async function runBackup(
  { url, dataDir }: Pick<Installation, 'url' | 'dataDir'>,
  clock: Clock,
  name: string,
  args: readonly string[],
  settings: Readonly<Record<string, string | undefined>> = {},
): Promise<string[]> {
  const command = backupCommands.find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  const lines: string[] = []
  await using database = openDatabase(url, 3, () => {})
  const config = loadConfig({
    SECRET_KEY: testSecret,
    DATA_DIR: dataDir,
    GATEHOUSE_BACKUP_PASSPHRASE: passphrase,
    ...settings,
  })
  const print = (line: string) => void lines.push(line)
  await withOutput(args, print, (rest, output) =>
    command.run({ args: rest, config, database, db: database.db, clock, root: '', ...output }),
  )
  return lines
}
