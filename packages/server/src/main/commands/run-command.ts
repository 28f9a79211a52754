import { join, resolve } from 'node:path'
import { prepareDatabase } from '../../operator/prepare.ts'
import { Hasher } from '../../passwords/hasher.ts'
import { type Output, type Print, withOutput } from '../../platform/cli/answer.ts'
import { UsageError } from '../../platform/cli/command.ts'
import { systemClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { loadConfig } from '../settings/config.ts'
import { makeDataFolder, requireDatabase } from '../settings/start-errors.ts'
import {
  type AnyCommand,
  type AnyRawCommand,
  commandFiles,
  loadCommand,
  rawCommandFiles,
  settingsCommandFiles,
} from './command-files.ts'
import type { ListedCommand } from './command-list.ts'

/** The folder of the installation; the bundle is in `packages/server/dist`. */
const root = resolve(import.meta.dirname, '../../..')

/** Loads a command and runs it against the configured database, whether or not a server is running. */
export function runCommand(command: ListedCommand, args: readonly string[], print: Print): Promise<void> {
  return withOutput(args, print, (rest, output) => run(command, rest, output))
}

async function run(
  { name, file, usage, needs }: ListedCommand,
  args: readonly string[],
  output: Output,
): Promise<void> {
  if (args.length < needs) throw new UsageError(`Usage: ${usage}`)
  const aboutSettings = await loadCommand(settingsCommandFiles, file, name)
  if (aboutSettings !== undefined) return aboutSettings.run({ env: process.env, args, ...output })
  const raw = await loadCommand(rawCommandFiles, file, name)
  const command = await loadCommand(commandFiles, file, name)
  await runOnDatabase(raw, command, args, output)
}

async function runOnDatabase(
  raw: AnyRawCommand | undefined,
  command: AnyCommand | undefined,
  args: readonly string[],
  output: Output,
): Promise<void> {
  const config = loadConfig(process.env)
  await makeDataFolder(config.dataDir)
  await using embedded =
    config.DATABASE_URL === undefined ? await startDatabase(join(config.dataDir, 'postgres')) : undefined
  const url = embedded?.url ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL ?? ''
  await using database = openDatabase(url, 3, (error) => process.stderr.write(`database: ${error.message}\n`))
  await requireDatabase(database, url)
  const { db } = database
  const parts = { config, db, clock: systemClock }
  if (raw !== undefined) return raw.run({ ...parts, args, database, root, ...output })
  const hasher = new Hasher()
  const { secrets } = await prepareDatabase(database, config, hasher, { root, isServer: false })
  const askHealth = async () => (await import('../command-health.ts')).askBesideServers(parts)
  await command?.run({ ...parts, args, database, secrets, hasher, root, ...output, askHealth })
}

async function startDatabase(folder: string) {
  const { startEmbeddedPostgres } = await import('../../platform/db/embedded/embedded-postgres.ts')
  return startEmbeddedPostgres({ folder, database: 'gatehouse', durable: true, log: () => {} })
}
