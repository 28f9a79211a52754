import { readFile } from 'node:fs/promises'
import type { FileSettings } from '../../files/file-settings.ts'
import { type CommandContext, CommandFailed, type RawCommand } from '../../platform/cli/command.ts'
import { readArguments } from '../../platform/cli/options.ts'
import { readSecret } from '../../platform/cli/read-secret.ts'
import { systemErrorCode } from '../../platform/db/embedded/errors.ts'
import type { MasterSource } from '../../platform/installation-keys/master-secret.ts'
import { migrations } from '../schema/migrations.ts'
import { schema } from '../schema/schema.ts'
import type { BackupSettings } from './backup-settings.ts'
import { type BackupParts, createBackup } from './create-backup.ts'
import { BackupError } from './errors.ts'
import type { Manifest } from './manifest-file.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

type Config = MasterSource & FileSettings & BackupSettings
type Context = Omit<CommandContext<Config>, 'secrets'>

/** Commands for backups. */
export const backupCommands: readonly RawCommand<Config>[] = [
  {
    name: 'backup:create',
    usage: 'backup:create <new folder> [--files=list] [--passphrase-file=<file>]',
    summary:
      'back up database, secrets and files into a new folder while servers run; --files=list leaves out the content of files',
    needs: 1,
    run: (context) =>
      withSentences(async () => {
        const { words, options } = readArguments(context.args, ['files', 'passphrase-file'])
        const [target = ''] = words
        const passphrase = await readPassphrase(context, options['passphrase-file'])
        const copiesFiles = options.files !== 'list'
        const { manifest, skipped } = await createBackup(partsOf(context), target, {
          passphrase,
          copiesFiles,
        })
        context.answer.record({ backup: target, ...factsOf(manifest), skipped }, [
          `${target}: ${summaryOf(manifest)}`,
          ...skipped.map((name) => `The table ${name} doesn't belong to Gatehouse and isn't in the backup.`),
        ])
        const { missing } = manifest.files
        if (missing > 0) {
          throw new CommandFailed(
            `The backup is complete, but the store lacks ${missing} pieces of files. Run files:verify.`,
          )
        }
      }),
  },
  {
    name: 'backup:verify',
    usage: 'backup:verify <folder> [--passphrase-file=<file>]',
    summary: 'read a whole backup and check its passphrase and all checksums; fails if anything was changed',
    needs: 1,
    run: (context) =>
      withSentences(async () => {
        const { words, options } = readArguments(context.args, ['passphrase-file'])
        const [folder = ''] = words
        const passphrase = await readPassphrase(context, options['passphrase-file'])
        const { manifest } = await verifyBackup(folder, passphrase)
        context.answer.record({ backup: folder, ...factsOf(manifest), intact: true }, [
          `${folder} is intact: ${summaryOf(manifest)}`,
        ])
      }),
  },
  {
    name: 'backup:restore',
    usage: 'backup:restore <folder> [--replace=<name of the database>] [--passphrase-file=<file>]',
    summary:
      'restore a backup into an empty database and folder of files while no server runs, upgrade and verify it; --replace replaces the contents of the database',
    needs: 1,
    run: (context) =>
      withSentences(async () => {
        const { words, options } = readArguments(context.args, ['replace', 'passphrase-file'])
        const [folder = ''] = words
        const passphrase = await readPassphrase(context, options['passphrase-file'])
        const { manifest, ledgerProblems, contents, damagedContents } = await restoreBackup(
          partsOf(context),
          folder,
          {
            passphrase,
            replaces: options.replace,
            onStep: context.print,
          },
        )
        context.answer.record(
          { backup: folder, ...factsOf(manifest), ledgerProblems, contents, damagedContents },
          [
            `Restored: ${summaryOf(manifest)}`,
            `Ledger: ${ledgerProblems.join(', ') || 'consistent'}. Files: ${contents - damagedContents.length} of ${contents} intact.`,
            ...damagedContents,
          ],
        )
        if (ledgerProblems.length + damagedContents.length > 0) {
          throw new CommandFailed('The backup was restored, but the check found problems.')
        }
      }),
  },
]

function partsOf({ database, clock, config }: Context): BackupParts {
  return { database, clock, config, history: { schema, migrations } }
}

/** From a file, the setting, or the terminal; never from an argument. */
async function readPassphrase(context: Context, file: string | undefined): Promise<string> {
  if (file !== undefined) return (await readFile(file, 'utf8')).trimEnd()
  const { GATEHOUSE_BACKUP_PASSPHRASE: setting } = context.config
  return setting ?? (await (context.readSecret ?? readSecret)('Passphrase of the backup'))
}

function factsOf(manifest: Manifest) {
  const { id, createdAt, version, migrations: contained, tables, files } = manifest
  const { list: _, ...counts } = files
  const compressed = tables.reduce((sum, { rows }) => sum + rows.bytes, 0)
  return {
    id,
    createdAt,
    version,
    schema: contained.at(-1),
    tables: tables.length,
    compressed,
    files: counts,
  }
}

function summaryOf(manifest: Manifest): string {
  const { createdAt, version, schema: newest, tables, compressed, files } = factsOf(manifest)
  const content =
    files.kind === 'copied'
      ? `${files.pieces} pieces of files (${files.bytes} bytes)`
      : `a list of ${files.pieces} pieces of files`
  return `made at ${createdAt} by version ${version} (schema ${newest}), ${tables} tables (${compressed} bytes compressed), ${content}.`
}

/** Errors that operators can fix end a command with their sentence. */
async function withSentences(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof BackupError) throw new CommandFailed(error.message, { cause: error })
    const code = systemErrorCode(error)
    const isOfDisk = ['ENOSPC', 'EACCES', 'EROFS', 'ENOENT', 'EDQUOT'].includes(code ?? '')
    if (isOfDisk && error instanceof Error) throw new CommandFailed(error.message, { cause: error })
    throw error
  }
}
