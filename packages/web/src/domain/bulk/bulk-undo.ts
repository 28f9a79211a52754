import type { BulkAction, BulkInput } from '@gatehouse/contract/directory/bulk'
import type { QueryClient } from '@tanstack/react-query'
import { t } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { reportUndoFailed } from '../../platform/api/undo.ts'
import { offerUndo } from '../../ui/toasts/offer-undo.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { followBatch } from './follow-batch.ts'

const inverses: Partial<Record<BulkAction, BulkAction>> = {
  delete: 'restore',
  suspend: 'resume',
  resume: 'suspend',
  join: 'leave',
  leave: 'join',
}

/** Returns the bulk act that undoes another; only for named objects, since a filter could match others by then. */
export function inverseOf({ objects, action, ids, group }: BulkInput): BulkInput | undefined {
  const inverse = inverses[action]
  return inverse && ids ? { objects, action: inverse, ids, ...(group && { group }) } : undefined
}

/** Shows the result of a bulk act with an Undo button. The undo reports its result in a toast of its own. */
export function reportBulkDone(client: QueryClient, message: string, inverse: BulkInput | undefined): void {
  if (inverse) offerUndo(message, t('words.undo'), () => begin(client, inverse))
  else toasts.success(message)
}

async function begin(client: QueryClient, body: BulkInput): Promise<void> {
  try {
    const { batch } = await call('POST /api/v4/bulk', { body })
    if (batch) followBatch(client, batch)
  } catch (error) {
    reportUndoFailed(error)
  }
}
