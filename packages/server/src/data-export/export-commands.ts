import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { type ExportKind, exportKinds } from '@gatehouse/contract/directory/data-exports'
import type { BillingConfig } from '../billing/billing-settings.ts'
import { companyOf } from '../billing/receipts/company.ts'
import type { FileSettings } from '../files/file-settings.ts'
import { FileKeys } from '../files/storage/file-keys.ts'
import { openStore } from '../files/storage/open-store.ts'
import { type Command, type CommandContext, CommandFailed, UsageError } from '../platform/cli/command.ts'
import { readArguments } from '../platform/cli/options.ts'
import { newUuid } from '../platform/ids.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'
import { openBackend } from '../provisioning/open-backend.ts'
import { mailStoreOf } from './contents/cyrus-mail-store.ts'
import { findRequester, listExports, readSubject } from './export-store.ts'
import { record } from './exports.ts'
import { writeExport } from './write-export.ts'

type Config = SiteConfig & BillingConfig & FileSettings & BackendSettings

/** Look of receipts without a theme. */
const look = { accent: '#16262a' }

/** Commands for exports. */
export const exportCommands: readonly Command<Config>[] = [
  {
    name: 'export:create',
    usage: 'export:create <address> <new file> [--kind=person]',
    summary:
      'export everything in the account of an owner into a ZIP file, or with --kind=person what a user has',
    needs: 2,
    run: createExport,
  },
  {
    name: 'export:list',
    usage: 'export:list',
    summary: 'list the newest exports that users requested',
    needs: 0,
    async run({ db, answer, print }) {
      const rows = await listExports(db, 100)
      const row = answer.list()
      if (rows.length === 0) print('No exports.')
      for (const { id, kind, state, email, createdAt, size, expiresAt, attempts } of rows) {
        const text = `${createdAt.toISOString()}  ${kind}  ${state}  ${email}  ${size ?? '-'} bytes`
        row({ id, kind, state, email, createdAt, size, expiresAt, attempts }, text)
      }
    },
  },
]

async function createExport(context: CommandContext<Config>): Promise<void> {
  const { args, db, clock, config, answer } = context
  const { words, options } = readArguments(args, ['kind'])
  const [address = '', file = ''] = words
  const kind = kindOf(options.kind)
  const user = await findRequester(db, canonicalAddress(address))
  if (user === undefined) throw new CommandFailed(`There is no user ${address}.`)
  const walletId = kind === 'account' ? user.walletId : null
  const subject = await readSubject(db, { userId: user.id, walletId })
  if (subject === undefined || (kind === 'account' && walletId === null)) {
    throw new CommandFailed(`${address} owns no account. Use --kind=person.`)
  }
  const order = { id: newUuid(), kind, userId: user.id, walletId, ...subject }
  let objects = 0
  const watch = {
    onStart: async () => {},
    onProgress: async (count: number) => {
      objects += count
    },
  }
  const storage = {
    db,
    clock,
    store: await openStore(config, db),
    keys: new FileKeys(db, clock, context.secrets),
  }
  const parts = {
    ...{
      db,
      clock,
      storage,
      look,
      pool: context.database.pool,
      secrets: context.secrets,
      url: config.APP_URL,
    },
    ...{ company: companyOf(config), mail: mailStoreOf(config, openBackend(config, clock)) },
  }
  try {
    await writeFile(file, writeExport(parts, order, watch))
  } finally {
    storage.store.close()
  }
  await record(
    db,
    clock,
    { ...order, ...user, userId: user.id, event: 'export.requested', comment: 'command line' },
    {},
  )
  answer.record({ id: order.id, kind, file, objects }, [`${file}: ${objects} records, files and messages.`])
}

function kindOf(text: string | undefined): ExportKind {
  const kind = exportKinds.find((one) => one === (text ?? 'account'))
  if (kind === undefined) throw new UsageError(`--kind must be ${exportKinds.join(' or ')}.`)
  return kind
}

/** Writes a file that has its name only once it is complete. */
async function writeFile(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${file}.unfinished`
  try {
    await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
