import { importLimits } from '@gatehouse/contract/mail/import-terms'
import type { ImportPreview, PreviewFolder } from '@gatehouse/contract/mail/mail-import'
import { foreignPrefixes, listFolders, readSize } from './imap/folder-list.ts'
import type { ImapSession } from './imap/imap-session.ts'
import type { ImportSettings } from './import-settings.ts'
import { mapFolders } from './source/folder-mapping.ts'
import { openSource, type SourceServer, sourceProblem } from './source/open-source.ts'
import { MailTarget, type StoreAccess } from './target/mail-target.ts'

/** Milliseconds in which sizes are read. Folders after that have none. */
const sizeTime = 20_000

/** Lists what the old server has and where it would go. Changes nothing. Throws SourceProblem. */
export async function previewImport(
  settings: ImportSettings,
  store: StoreAccess,
  {
    email,
    server,
    password,
  }: { readonly email: string; readonly server: SourceServer; readonly password: string },
): Promise<ImportPreview> {
  const source = await openSource(server, password, settings)
  try {
    const target = await MailTarget.open(store, email)
    try {
      const special = await target.specialFolders()
      const quota = await target.quota()
      const listed = await fromSource(async () => ({
        folders: await listFolders(source, importLimits.folders),
        foreign: await foreignPrefixes(source),
      }))
      const mapped = mapFolders(listed.folders, special, listed.foreign)
      const folders = await fromSource(() => withSizes(source, mapped))
      return { folders, quota, mostBytes: importLimits.message }
    } finally {
      target.close()
    }
  } finally {
    source.close()
  }
}

async function fromSource<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sourceProblem(error)
  }
}

async function withSizes(
  source: ImapSession,
  mapped: ReturnType<typeof mapFolders>,
): Promise<PreviewFolder[]> {
  const start = performance.now()
  const folders: PreviewFolder[] = []
  for (const { folder, ...facts } of mapped) {
    const isLate = performance.now() - start > sizeTime
    const size = isLate ? { messages: null, bytes: null } : await readSize(source, folder.name)
    folders.push({ name: folder.name, path: folder.path.join('/'), ...facts, ...size })
  }
  return folders
}
