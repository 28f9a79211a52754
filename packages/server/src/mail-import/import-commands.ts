import { type ImportSecurity, importSecurities } from '@gatehouse/contract/mail/import-terms'
import type { ImportPreview } from '@gatehouse/contract/mail/mail-import'
import {
  atCommandLine,
  type Command,
  type CommandContext,
  CommandFailed,
  UsageError,
} from '../platform/cli/command.ts'
import { readArguments, readNumber } from '../platform/cli/options.ts'
import { readSecret } from '../platform/cli/read-secret.ts'
import { said } from '../platform/cli/said.ts'
import { findView } from '../users/commands/find-user.ts'
import type { ImportSettings } from './import-settings.ts'
import { listImports } from './import-store.ts'
import { startImport } from './imports.ts'
import { presentImport } from './present.ts'
import { previewImport } from './preview.ts'
import { SourceProblem, type SourceServer } from './source/open-source.ts'
import { type StoreSettings, storeAccess } from './target/mail-target.ts'

type Settings = ImportSettings & StoreSettings

type Context = CommandContext<Settings>

/** Import of old mail. */
export const importCommands: readonly Command<Settings>[] = [
  {
    name: 'mail:import',
    usage:
      'mail:import <address> --host=<server> --login=<username> [--port=993] [--security=tls|starttls] [--dry-run]',
    summary: "import a user's mail from another server by IMAP; asks for the password there",
    needs: 1,
    async run(context) {
      const { config, print, answer } = context
      const { words, options } = readArguments(
        context.args,
        ['host', 'login', 'port', 'security', 'dry-run'],
        ['dry-run'],
      )
      const user = await findActive(context, words[0])
      const store = storeAccess(config)
      if (store === undefined) throw new CommandFailed('No mail store is connected.')
      const server = readServer(options)
      const password = await (context.readSecret ?? readSecret)(
        `Password of ${server.login} at ${server.host}`,
      )
      const preview = await shown(() => previewImport(config, store, { email: user.email, server, password }))
      if (options['dry-run'] !== undefined) return answer.record({ ...preview }, linesOf(preview))
      for (const line of linesOf(preview)) print(line)
      const folders = preview.folders.filter(({ isIncluded }) => isIncluded)
      if (folders.length === 0) throw new CommandFailed('There are no folders to import.')
      const chosen = folders.map(({ name, path, target }) => ({ name, path, target }))
      const input = { ...server, password, folders: chosen }
      const id = await startImport(context, user, input, atCommandLine.actor).catch(said)
      answer.record({ id }, [`${user.email}: import ${id} started`])
    },
  },
  {
    name: 'mail:imports',
    usage: 'mail:imports <address>',
    summary: "show the imports of a user's mail and their progress",
    needs: 1,
    async run(context) {
      const { words } = readArguments(context.args, [])
      const user = await findActive(context, words[0])
      const list = (await listImports(context.db, user.id, 20)).map(presentImport)
      const row = context.answer.list()
      if (list.length === 0) context.print('No imports.')
      for (const one of list) {
        const problem = one.problem === null ? '' : `, ${one.problem} ${one.answer ?? ''}`.trimEnd()
        const counts = `${one.processed} of ${one.messages} messages, ${one.copied} copied, ${one.existing} existed, ${one.skipped} skipped`
        row({ ...one }, `${one.id}: ${one.login} at ${one.host}: ${one.state}, ${counts}${problem}`)
      }
    },
  },
]

async function findActive(context: Context, address: string | undefined) {
  const { user } = await findView(context, address)
  if (user.deletedAt !== null) throw new UsageError(`There is no user ${address}.`)
  return user
}

function readServer(
  options: Readonly<Partial<Record<'host' | 'login' | 'port' | 'security', string>>>,
): SourceServer {
  const { host, login } = options
  if (!host || !login) throw new UsageError('Name the old server and the username there: --host=… --login=…')
  const security = readSecurity(options.security)
  const port = readNumber(options.port, 1) ?? (security === 'tls' ? 993 : 143)
  return { host: host.toLowerCase(), port, security, login }
}

function readSecurity(text: string | undefined): ImportSecurity {
  if (text === undefined) return 'tls'
  const known = importSecurities.find((one) => one === text)
  if (known === undefined) throw new UsageError('--security must be tls or starttls.')
  return known
}

async function shown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    throw new CommandFailed(
      `The old server can't be read: ${error.problem}${error.answer ? `: ${error.answer}` : ''}.`,
    )
  }
}

function linesOf({ folders, quota }: ImportPreview): string[] {
  const rows = folders.map(({ path, messages, bytes, target, isIncluded }) => {
    const size = `${messages ?? '?'} messages, ${bytes ?? '?'} bytes`
    return `${path}: ${size} ${isIncluded ? `→ ${target}` : '(not imported)'}`
  })
  const limit = quota.limit === null ? 'unlimited' : `${quota.limit} bytes`
  return [...rows, `Mailbox: ${quota.used} bytes used of ${limit}`]
}
