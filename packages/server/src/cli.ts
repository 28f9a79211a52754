import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, CommandFailed, UsageError } from './cli/command.ts'
import { commands } from './cli/commands.ts'
import { ConfigError, loadConfig } from './config.ts'
import { Hasher } from './passwords/hasher.ts'
import { systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/db/database.ts'
import { startEmbeddedPostgres } from './platform/db/embedded/embedded-postgres.ts'
import { prepareDatabase } from './prepare.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Runs one command of the operator against the database of the settings, while a server runs or not. */
async function main(name: string | undefined, args: readonly string[]): Promise<void> {
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) {
    process.stdout.write(help())
    if (name !== undefined && name !== 'help') throw new UsageError(`There is no command ${name}.`)
    return
  }
  await run(command, args)
}

async function run(command: Command, args: readonly string[]): Promise<void> {
  if (args.length < command.needs) throw new UsageError(`Usage: ${command.usage}`)
  const config = loadConfig(process.env)
  await mkdir(config.dataDir, { recursive: true, mode: 0o755 })
  await using embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          folder: join(config.dataDir, 'postgres'),
          database: 'gatehouse',
          durable: true,
          log: () => {},
        })
      : undefined
  const url = embedded?.url ?? config.DATABASE_URL ?? ''
  await using database = openDatabase(url, 3, (error) => process.stderr.write(`database: ${error.message}\n`))
  const hasher = new Hasher()
  await prepareDatabase(database, config, hasher, root)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  await command.run({ args, config, database, db: database.db, clock: systemClock, hasher, root, print })
}

function help(): string {
  const width = Math.max(...commands.map((command) => command.usage.length))
  const lines = commands.map((command) => `  ${command.usage.padEnd(width + 2)}${command.summary}`)
  return `npm run gatehouse -- <command>\n\n${lines.join('\n')}\n`
}

try {
  const [name, ...args] = process.argv.slice(2)
  await main(name, args)
} catch (error) {
  const expected = [UsageError, CommandFailed, ConfigError].some((kind) => error instanceof kind)
  process.stderr.write(
    `${error instanceof Error ? (expected ? error.message : error.stack) : String(error)}\n`,
  )
  process.exitCode = 1
}
