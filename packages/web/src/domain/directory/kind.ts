import {
  type DirectoryKind,
  type Kind,
  kinds,
  type MailKind,
  mailKinds,
} from '@gatehouse/contract/directory/kinds'
import IconDoor from '@tabler/icons-react/dist/esm/icons/IconDoor.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import type { Glyph } from '../../ui/icon.tsx'

/** How a kind looks on its screens. Its words are in the texts of `directory`, by its name. */
interface Look {
  /** Name of its section. */
  readonly title: MessageKey
  readonly icon: Glyph
  /** Objects of the kind can be suspended. */
  readonly isSuspendable: boolean
}

export const looks: Readonly<Record<DirectoryKind, Look>> = {
  group: { title: 'section.distlists', icon: IconList, isSuspendable: true },
  resource: { title: 'words.resources', icon: IconDoor, isSuspendable: false },
  'shared-folder': { title: 'words.sharedFolders', icon: IconFolder, isSuspendable: false },
}

/** Address of the page of one object without its number; with `new` that of the form for another one. */
export function pageOf(kind: Kind): string {
  return `/${kinds[kind].label}`
}

/** Address of the list of a kind. */
export function listOf(kind: Kind): string {
  return `/${kinds[kind].label}s`
}

/** Whether the activity, or a list of costs, names a kind that has a page. */
export function isMailKind(type: string): type is MailKind {
  return mailKinds.some((one) => one === type)
}

/** Address of the page of one object, without its number, by the place of its kind on the wire. */
export function pageByPath(path: string): string | undefined {
  const kind = mailKinds.find((one) => kinds[one].path === path)
  return kind && pageOf(kind)
}
