import type { FolderType } from '@gatehouse/contract/folders'
import type { MessageKey } from '../../../i18n/areas.ts'

/** What a shared folder holds, in words. */
export const folderTypeLabels: Record<FolderType, MessageKey> = {
  mail: 'folders.mail',
  event: 'folders.event',
  contact: 'folders.contact',
  task: 'folders.task',
  note: 'folders.note',
  file: 'folders.file',
}
