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

/** Appearance of a kind. Its texts are in `directory`, by its name. */
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

/** Returns the page path of a kind without the id; with `new` appended it is the creation form. */
export function pageOf(kind: Kind): string {
  return `/${kinds[kind].label}`
}

/** Returns the list path of a kind. */
export function listOf(kind: Kind): string {
  return `/${kinds[kind].label}s`
}

/** Whether a kind in the activity or a cost list has a page. */
export function isMailKind(type: string): type is MailKind {
  return mailKinds.some((one) => one === type)
}

/** Returns an object's page path without the id, by the kind's API path. */
export function pageByPath(path: string): string | undefined {
  const kind = mailKinds.find((one) => kinds[one].path === path)
  return kind && pageOf(kind)
}
