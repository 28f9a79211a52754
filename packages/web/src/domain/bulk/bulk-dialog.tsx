import type { BulkAction, BulkInput, BulkObjects } from '@gatehouse/contract/directory/bulk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { cancelBatch, forgetBatch, isOver } from './batch-calls.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { type BulkTarget, TargetFields } from './bulk-target.tsx'
import { inverseOf, reportBulkDone } from './bulk-undo.ts'
import { CostLines } from './cost-lines.tsx'
import { errorSentence } from './error-sentence.ts'
import { followBatch } from './follow-batch.ts'
import { outcomeSentence } from './outcome-sentence.ts'
import { RowProblems } from './row-problems.tsx'
import { type BulkWork, useBulkWork } from './use-bulk-work.ts'

const titles: Record<BulkAction, MessageKey> = {
  delete: 'bulk.deleteTitle',
  restore: 'bulk.restoreTitle',
  package: 'words.packageForThings',
  join: 'words.addToList',
  leave: 'words.removeFromList',
  suspend: 'bulk.suspendTitle',
  resume: 'bulk.resumeTitle',
  'password-link': 'bulk.linkTitle',
}

const verbs: Record<BulkAction, MessageKey> = {
  delete: 'bulk.deleteNow',
  restore: 'bulk.restoreNow',
  package: 'bulk.packageNow',
  join: 'bulk.joinNow',
  leave: 'bulk.leaveNow',
  suspend: 'bulk.suspendNow',
  resume: 'bulk.resumeNow',
  'password-link': 'bulk.linkNow',
}

/** Explains actions whose title isn't enough. */
const effects: Partial<Record<BulkAction, MessageKey>> = {
  suspend: 'bulk.suspendEffect',
  resume: 'bulk.resumeEffect',
  'password-link': 'bulk.linkEffect',
}

export interface BulkDialogProps {
  objects: BulkObjects
  action: BulkAction
  chosen: Pick<BulkInput, 'ids' | 'filter'>
  count: number
  /** Name of the only object, for the question. */
  name?: string
  onStarted: () => void
  onClose: () => void
}

/** Confirms an action on many objects, with their number and the cost; then shows its progress. */
export function BulkDialog(props: BulkDialogProps) {
  const { objects, action, chosen, count, name, onStarted, onClose } = props
  const t = useT()
  const [target, setTarget] = useState<BulkTarget>({})
  const isReady =
    (action !== 'package' || target.package !== undefined) &&
    ((action !== 'join' && action !== 'leave') || target.group !== undefined)
  const work = useBulkWork(isReady ? { objects, action, ...chosen, ...target } : undefined)
  const things = name ?? t('bulk.things', { objects, count, number: number(count) })
  if (work.batch) {
    return (
      <Started
        work={work}
        name={name}
        inverse={inverseOf({ objects, action, ...chosen, ...target })}
        onClose={onClose}
      />
    )
  }
  const able = work.preview?.ok ?? 0
  const effect = effects[action]
  return (
    <Dialog
      open
      title={t(titles[action], { things })}
      onClose={onClose}
      cancelFocus={action === 'delete'}
      footnote={isReady ? undefined : t(action === 'package' ? 'bulk.packageMissing' : 'bulk.listMissing')}
      actions={[
        {
          preset: action === 'delete' ? 'delete' : 'submit',
          dismiss: false,
          label: t(verbs[action], {
            things: name ?? t('bulk.things', { objects, count: able, number: number(able) }),
          }),
          busyLabel: t('bulk.starting'),
          disabled: able === 0,
          onPress: () => work.start().then(onStarted),
        },
      ]}
    >
      <TargetFields action={action} target={target} onTarget={setTarget} />
      {action === 'delete' && (
        <p>
          {t(objects === 'domains' ? 'bulk.deleteDomains' : 'bulk.deleteBack', {
            days: config['app.retention_days'],
          })}
        </p>
      )}
      {effect && <p>{t(effect)}</p>}
      {isReady && <Preview work={work} withCosts={effect === undefined} isOne={name !== undefined} />}
    </Dialog>
  )
}

interface PreviewProps {
  work: BulkWork
  /** The action changes the account's cost. */
  withCosts: boolean
  /** Concerns a single object, whose name is in the question. */
  isOne: boolean
}

function Preview({ work: { preview, problem, retry }, withCosts, isOne }: PreviewProps) {
  const t = useT()
  if (problem) return <LoadFailed reason={errorSentence(problem)} onRetry={retry} />
  if (!preview) {
    return (
      <Loading>
        <div className="stack">
          <Skeleton width="60%" height={20} />
          <Skeleton height={72} />
        </div>
      </Loading>
    )
  }
  const { ok, refused, total, rows, price } = preview
  return (
    <>
      <p role="status" className={isOne && refused === 0 ? 'visually-hidden' : undefined}>
        <b>{t('bulk.able', { count: ok, ok: number(ok), total: number(total) })}</b>{' '}
        {refused > 0 && t('bulk.refused', { count: refused, number: number(refused) })}
      </p>
      {rows.length > 0 && <RowProblems label={t('bulk.refusedLabel')} rows={rows} />}
      {refused > rows.length && (
        <p className="small text-3">{t('bulk.firstShown', { number: number(rows.length) })}</p>
      )}
      {withCosts && <CostLines of={price} />}
    </>
  )
}

interface StartedProps {
  work: BulkWork
  /** Name of the only object. */
  name: string | undefined
  /** What takes it back; undefined: nothing does. */
  inverse: BulkInput | undefined
  onClose: () => void
}

function Started({ work, name, inverse, onClose }: StartedProps) {
  const t = useT()
  const client = useQueryClient()
  const { batch } = work
  const over = batch !== undefined && isOver(batch.state)
  const finish = useEffectEvent(async () => {
    if (!batch) return
    await forgetBatch(client, batch)
    const { done, failed, skipped } = batch.counts
    if (failed > 0 || skipped > 0) return
    reportBulkDone(
      client,
      outcomeSentence(t, batch, name),
      done === inverse?.ids?.length ? inverse : undefined,
    )
    onClose()
  })
  useEffect(() => {
    if (over) void finish()
  }, [over])
  if (!batch) return null
  const close = () => {
    if (!over) followBatch(client, batch)
    onClose()
  }
  return (
    <Dialog
      key="started"
      open
      title={t(over ? 'words.outcome' : 'bulk.runningTitle')}
      onClose={close}
      cancelLabel={t('words.close')}
      actions={
        over ? [] : [{ label: t('bulk.stop'), dismiss: false, onPress: () => cancelBatch(client, batch.id) }]
      }
    >
      <BulkOutcome batch={batch} name={name} onLeave={onClose} />
    </Dialog>
  )
}
