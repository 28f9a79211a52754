import type { Batch } from '@gatehouse/contract/directory/bulk'
import type { QueryClient } from '@tanstack/react-query'
import { t } from '../../i18n/i18n.ts'
import { navigation } from '../../platform/navigation/navigation.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { batchQuery, forgetBatch, isOver, shareDone } from './batch-calls.ts'
import { outcomeSentence } from './outcome-sentence.ts'

/** Milliseconds between polls. */
const lookEvery = 2000

/** Shows a toast about work whose dialog was closed, until the work ends. */
export function followBatch(client: QueryClient, first: Batch): void {
  const { id } = first
  const show = { label: t('bulk.show'), onPress: () => navigation().go(`/batch/${id}`) }
  const toast = toasts.info(t('bulk.goesOn'), {
    autohide: false,
    progress: shareDone(first),
    actions: [show],
  })
  const look = async () => {
    // Failed polls are retried; the work itself doesn't depend on them.
    const batch = await client.fetchQuery({ ...batchQuery(id), staleTime: 0 }).catch(() => undefined)
    if (batch && isOver(batch.state)) {
      toast.update(outcome(batch))
      await forgetBatch(client, batch)
      return
    }
    if (batch) toast.update({ progress: shareDone(batch) })
    setTimeout(() => void look(), lookEvery)
  }
  void look()
}

function outcome(batch: Batch) {
  const isGood = batch.counts.failed === 0 && batch.state === 'done'
  return {
    type: isGood ? ('success' as const) : ('warning' as const),
    message: outcomeSentence(t, batch),
    progress: true,
    autohide: true,
    timeout: 10_000,
  }
}
