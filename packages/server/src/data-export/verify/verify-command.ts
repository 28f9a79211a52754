import type { Output } from '../../platform/cli/answer.ts'
import { CommandFailed } from '../../platform/cli/command.ts'
import { readArguments } from '../../platform/cli/options.ts'
import { ExportDamaged } from './errors.ts'
import { readKeys } from './read-keys.ts'
import { verifyArchive } from './verify-archive.ts'

/** Verifies an archive. `url` returns that of the installation, whose keys are used unless a file is given. */
export async function verifyExport(
  { args, answer }: Output & { readonly args: readonly string[] },
  url: () => string,
): Promise<void> {
  const { words, options } = readArguments(args, ['keys'])
  const [file = ''] = words
  try {
    const keys = await readKeys(options.keys ?? `${url()}/api/v4/exports/keys`)
    const { manifest, kid, bytes } = await verifyArchive(file, keys)
    const { id, kind, takenAt, user, contents, ledger, omitted, installation } = manifest
    const entries = ledger.reduce((sum, end) => sum + end.entries, 0)
    answer.record(
      {
        file,
        intact: true,
        id,
        kind,
        takenAt,
        user,
        installation,
        kid,
        files: contents.files,
        bytes,
        entries,
        omitted,
      },
      [
        `${file} is intact: ${contents.files} files, ${bytes} bytes, ${entries} ledger entries.`,
        `It shows the data of ${user.email} (${kind}) at ${takenAt}, signed by ${installation.url}.`,
        ...(omitted > 0
          ? [`${omitted} files or folders could not be included; the archive lists them.`]
          : []),
      ],
    )
  } catch (error) {
    if (error instanceof ExportDamaged) throw new CommandFailed(error.message, { cause: error })
    const isOfSystem = error instanceof Error && 'code' in error && typeof error.code === 'string'
    if (isOfSystem) throw new CommandFailed(error.message, { cause: error })
    throw error
  }
}
