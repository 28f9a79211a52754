import type { Batch } from '@gatehouse/contract/directory/bulk'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import type { Translate } from '../../i18n/i18n.ts'

const sentences: Record<Batch['action'], MessageKey> = {
  delete: 'bulk.doneDelete',
  restore: 'bulk.doneRestore',
  package: 'bulk.donePackage',
  join: 'bulk.doneJoin',
  leave: 'bulk.doneLeave',
  suspend: 'bulk.doneSuspend',
  resume: 'bulk.doneResume',
  'password-link': 'bulk.doneLink',
  create: 'bulk.doneCreate',
  apply: 'bulk.doneApply',
  undo: 'bulk.doneUndo',
}

/** Says what was done to how many objects, and how many failed or were skipped. `name`: name of the only object. */
export function outcomeSentence(
  t: Translate,
  { action, objects, counts }: Pick<Batch, 'action' | 'objects' | 'counts'>,
  name?: string,
): string {
  const { done, failed, skipped } = counts
  const things =
    name !== undefined && done === 1 ? name : t('bulk.things', { objects, count: done, number: number(done) })
  return t(sentences[action], { things, failed, skipped })
}
