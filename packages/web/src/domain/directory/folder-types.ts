import type { FolderType, folderTypes } from '@gatehouse/contract/directory/folders'
import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconNotes from '@tabler/icons-react/dist/esm/icons/IconNotes.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { config } from '../../platform/config.ts'
import type { Glyph } from '../../ui/icon.tsx'

// Importing the contract's array would add its validator to the bundle.
const types = ['mail', 'event', 'contact', 'task', 'note', 'file'] as const satisfies typeof folderTypes

export const typeIcons: Record<FolderType, Glyph> = {
  mail: IconMail,
  event: IconCalendar,
  contact: IconAddressBook,
  task: IconChecklist,
  note: IconNotes,
  file: IconFileText,
}

export const typeLabels: Record<FolderType, MessageKey> = {
  mail: 'folders.mail',
  event: 'folders.event',
  contact: 'folders.contact',
  task: 'words.tasks',
  note: 'folders.note',
  file: 'words.files',
}

/** Returns the types offered for new folders in this installation. */
export function offeredTypes(): FolderType[] {
  return types.filter((type) => config['app.shared_folder_types'].includes(type))
}
