import type { FolderUse } from '@gatehouse/contract/mail/import-terms'
import type { ListedFolder } from '../imap/folder-list.ts'

/** Where a folder of the old server goes. */
export interface MappedFolder {
  readonly folder: ListedFolder
  readonly use: FolderUse | null
  readonly target: string
  /** Whether it is imported unless the user decides otherwise. */
  readonly isIncluded: boolean
}

/** Names of folders with a special use, of servers that don't mark them. */
const usualNames: Readonly<Record<Exclude<FolderUse, 'inbox'>, readonly string[]>> = {
  sent: [
    ...['sent', 'sent items', 'sent mail', 'sent messages', 'gesendet', 'gesendete elemente'],
    ...['gesendete objekte', 'gesendete nachrichten', 'envoyés', 'messages envoyés', 'éléments envoyés'],
    ...['inviata', 'inviati', 'posta inviata', 'elementi inviati', 'enviados', 'elementos enviados'],
  ],
  drafts: ['drafts', 'draft', 'entwürfe', 'brouillons', 'bozze', 'borradores'],
  trash: [
    ...['trash', 'bin', 'deleted items', 'deleted messages', 'papierkorb', 'gelöschte elemente'],
    ...['gelöschte objekte', 'corbeille', 'éléments supprimés', 'messages supprimés', 'cestino'],
    ...['posta eliminata', 'elementi eliminati', 'papelera'],
  ],
  junk: [
    ...['spam', 'junk', 'junk e-mail', 'junk email', 'junk mail', 'bulk mail', 'spamverdacht'],
    ...['junk-e-mail', 'unerwünscht', 'courrier indésirable', 'indésirables', 'posta indesiderata'],
  ],
  archive: ['archive', 'archives', 'archiv', 'archivio', 'archivo'],
}

const uses = ['sent', 'drafts', 'trash', 'junk', 'archive'] as const

/** Folders that only show messages of other folders. */
const virtual = ['\\all', '\\flagged', '\\important']

/** Proposes a folder of the mailbox for each folder of the old server. */
export function mapFolders(
  folders: readonly ListedFolder[],
  targets: ReadonlyMap<FolderUse, string>,
  foreign: readonly string[],
): MappedFolder[] {
  const marked = new Set(
    folders.flatMap(({ attributes }) => uses.filter((use) => attributes.has(`\\${use}`))),
  )
  const taken = new Map<string, string>()
  return folders.map((folder) => {
    const path = withoutInbox(folder.path)
    const use = useOf(folder, path, marked)
    const special = use === null ? undefined : targets.get(use)
    const target = special ?? ownName(path, folder.name, taken)
    const isVirtual = virtual.some((attribute) => folder.attributes.has(attribute))
    const isForeign = foreign.some((prefix) => folder.name.startsWith(prefix))
    return { folder, use, target, isIncluded: !isVirtual && !isForeign }
  })
}

/** Some servers have all folders below the inbox. */
function withoutInbox(path: readonly string[]): readonly string[] {
  const [first = '', ...rest] = path
  return rest.length > 0 && first.toUpperCase() === 'INBOX' ? rest : path
}

function useOf(
  { attributes, name }: ListedFolder,
  path: readonly string[],
  marked: ReadonlySet<FolderUse>,
): FolderUse | null {
  if (name.toUpperCase() === 'INBOX') return 'inbox'
  const use = uses.find((one) => attributes.has(`\\${one}`))
  if (use !== undefined) return use
  const [only = '', ...more] = path
  if (more.length > 0) return null
  const named = only.toLowerCase().normalize('NFC')
  return uses.find((one) => !marked.has(one) && usualNames[one].includes(named)) ?? null
}

/** Names that only differ in replaced characters get a number, so that folders aren't merged by accident. */
function ownName(path: readonly string[], name: string, taken: Map<string, string>): string {
  const wanted = path.map(storedName).join('/')
  const free = (candidate: string) => (taken.get(candidate) ?? path.join('\0')) === path.join('\0')
  let target = wanted
  for (let count = 2; !free(target); count++) target = `${wanted} (${count})`
  taken.set(target, path.join('\0'))
  return isReserved(target) ? `${target.split('/')[0]}_${target.slice(target.indexOf('/'))}` : target || name
}

/** Replaces characters that the store refuses in names of folders. */
function storedName(part: string): string {
  const clean = part
    .replaceAll(/["%*;<>\\^`{|}/\p{Cc}\p{Cs}]/gu, '_')
    .trim()
    .replace(/^[#~]/, '_')
  return clean === '' ? '_' : clean
}

/** The store shows folders of others below these names. */
function isReserved(target: string): boolean {
  return /^(?:Other Users|Shared Folders)\//i.test(target)
}
