import { join, resolve } from 'node:path'
import { prepareDatabase } from '../operator/prepare.ts'
import { Hasher } from '../passwords/hasher.ts'
import { CommandFailed, UsageError } from '../platform/cli/command.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded-postgres.ts'
import { version } from '../platform/release/version.ts'
import { askBesideServers } from './command-health.ts'
import { commands, rawCommands } from './rooms.ts'
import { loadConfig } from './settings/config.ts'
import { settingsCommands } from './settings/settings-commands.ts'
import { describeFailure, makeDataFolder, requireDatabase } from './settings/start-errors.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Runs an operator command against the configured database, whether or not a server is running. */
async function main(name: string | undefined, args: readonly string[]): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  if (name === '--version' || name === '-V') {
    print(`gatehouse ${version}`)
    return
  }
  const aboutSettings = settingsCommands.find((candidate) => candidate.name === name)
  if (aboutSettings !== undefined) return aboutSettings.run({ env: process.env, args, print })
  const command = [...commands, ...rawCommands].find((candidate) => candidate.name === name)
  if (command === undefined) {
    process.stdout.write(help())
    if (name !== undefined && name !== 'help') throw new UsageError(`There is no command ${name}.`)
    return
  }
  await run(command, args, print)
}

type AnyCommand = (typeof commands)[number] | (typeof rawCommands)[number]

async function run(
  command: AnyCommand,
  args: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  if (args.length < command.needs) throw new UsageError(`Usage: ${command.usage}`)
  const config = loadConfig(process.env)
  await makeDataFolder(config.dataDir)
  await using embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          folder: join(config.dataDir, 'postgres'),
          database: 'gatehouse',
          durable: true,
          log: () => {},
        })
      : undefined
  const url = embedded?.url ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL ?? ''
  await using database = openDatabase(url, 3, (error) => process.stderr.write(`database: ${error.message}\n`))
  await requireDatabase(database, url)
  const { db } = database
  const parts = { config, db, clock: systemClock }
  const raw = rawCommands.find((candidate) => candidate === command)
  if (raw !== undefined) return raw.run({ ...parts, args, database, root, print })
  const hasher = new Hasher()
  const { secrets } = await prepareDatabase(database, config, hasher, { root, isServer: false })
  const askHealth = () => askBesideServers(parts)
  await command.run({ ...parts, args, database, secrets, hasher, root, print, askHealth })
}

function help(): string {
  const all = [...commands, ...rawCommands, ...settingsCommands]
  const width = Math.max(...all.map((command) => command.usage.length))
  const lines = all.map((command) => `  ${command.usage.padEnd(width + 2)}${command.summary}`)
  return `${process.env.GATEHOUSE_COMMAND ?? 'npm run gatehouse --'} <command>\n\n${lines.join('\n')}\n`
}

try {
  const [name, ...args] = process.argv.slice(2)
  await main(name, args)
} catch (error) {
  const isOfCommand = error instanceof UsageError || error instanceof CommandFailed
  process.stderr.write(`${isOfCommand ? error.message : describeFailure(error)}\n`)
  process.exitCode = 1
}
