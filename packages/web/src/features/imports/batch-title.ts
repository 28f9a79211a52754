import type { Batch } from '@gatehouse/contract/directory/bulk'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'

const titles: Record<Batch['action'], MessageKey> = {
  delete: 'imports.titleDelete',
  restore: 'imports.titleRestore',
  package: 'words.packageForThings',
  join: 'words.addToList',
  leave: 'words.removeFromList',
  suspend: 'imports.titleSuspend',
  resume: 'imports.titleResume',
  'password-link': 'imports.titleLinks',
  create: 'imports.titleCreate',
  apply: 'imports.titleApply',
  undo: 'imports.titleUndo',
}

/** Returns a short title of what a batch does. */
export function useBatchTitle(): (batch: Batch) => string {
  const t = useT()
  return ({ action, objects, total }) =>
    t(titles[action], { things: t('bulk.things', { objects, count: total, number: number(total) }) })
}

/** Returns the path of a batch. */
export function batchPath({ kind, id }: Batch): string {
  return `/${kind === 'import' ? 'import' : 'batch'}/${id}`
}
