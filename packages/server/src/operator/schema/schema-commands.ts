import type { Kysely } from 'kysely'
import type { CommandContext, RawCommand } from '../../platform/cli/command.ts'
import { readArguments } from '../../platform/cli/options.ts'
import { withAdvisoryLock } from '../../platform/db/advisory-lock.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { type Connected, listConnected, readState, type SchemaState } from '../../platform/db/schema-state.ts'
import { version } from '../../platform/release/version.ts'
import { startUpLock } from '../start-up-lock.ts'
import { migrations } from './migrations.ts'
import { schema } from './schema.ts'

/** Commands for the schema of the database. */
export const schemaCommands: readonly RawCommand[] = [
  {
    name: 'db:migrate',
    usage: 'db:migrate [--force]',
    summary:
      'upgrade the database to the schema of this version; --force also if processes of versions are connected that it breaks',
    needs: 0,
    async run({ args, database, print }) {
      const { options } = readArguments(args, ['force'], ['force'])
      const ignoresOldProcesses = options.force !== undefined
      await withAdvisoryLock(database.pool, startUpLock, () =>
        migrate(database, { schema, migrations }, { ignoresOldProcesses, onProgress: print }),
      )
      print('The database is up to date.')
    },
  },
  {
    name: 'db:status',
    usage: 'db:status',
    summary: 'show the schema of the database, pending migrations and connected versions; changes nothing',
    needs: 0,
    async run({ db, answer }: Pick<CommandContext, 'db' | 'answer'>) {
      const untyped = db as Kysely<unknown> // the catalogue isn't part of the schema
      const state = await readState(untyped, { schema, migrations })
      const connected = await listConnected(untyped)
      answer.record({ version, ...state, connected }, linesOf(state, connected))
    },
  },
]

function linesOf(state: SchemaState, connected: readonly Connected[]): string[] {
  const { newest, upgradedBy, pending, unknown, oldest, progress } = state
  return [
    `This version   ${version}, schema ${Object.keys(migrations).sort().at(-1)}`,
    `Database       ${newest === undefined ? 'empty' : `schema ${newest}, upgraded by ${upgradedBy ?? 'an older version'}`}`,
    `Pending        ${pending.join(', ') || 'none'}`,
    `Newer          ${unknown.join(', ') || 'none'}`,
    `Works with     ${oldest === undefined ? 'all versions that know its schema' : `version ${oldest} and newer`}`,
    ...(progress === undefined ? [] : [`Progress       ${progress}`]),
    ...connected.map(
      (one) =>
        `Connected      ${one.version ?? 'unknown version'} from ${one.host ?? 'this machine'}, connections: ${one.connections}`,
    ),
  ]
}
