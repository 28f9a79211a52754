import type { Batch, RowState } from '@gatehouse/contract/directory/bulk'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { shareDone } from './batch-calls.ts'
import './bulk.css'

/** Label, colour and icon of every row state. */
export const rowLooks: Record<RowState, { label: MessageKey; tone: Tone; icon: Glyph }> = {
  open: { label: 'bulk.rowOpen', tone: 'muted', icon: IconClock },
  ok: { label: 'bulk.rowOk', tone: 'info', icon: IconCircleCheck },
  refused: { label: 'bulk.rowRefused', tone: 'warning', icon: IconCircleX },
  done: { label: 'bulk.rowDone', tone: 'success', icon: IconCircleCheck },
  failed: { label: 'bulk.rowFailed', tone: 'danger', icon: IconCircleX },
  skipped: { label: 'bulk.rowSkipped', tone: 'muted', icon: IconCircleX },
}

/** The states in order of interest. */
export const rowStates = ['done', 'ok', 'failed', 'refused', 'skipped', 'open'] as const

export function RowChip({ state }: { state: RowState }) {
  const t = useT()
  const { label, tone, icon } = rowLooks[state]
  return (
    <Chip tone={tone} icon={icon}>
      {t(label)}
    </Chip>
  )
}

/** Counts of rows by state. */
export function RowCounts({ of: { counts } }: { of: Batch }) {
  const t = useT()
  const found = rowStates.filter((state) => counts[state] > 0)
  return (
    <div className="bulk-counts">
      {found.map((state) => (
        <Chip key={state} tone={rowLooks[state].tone} icon={rowLooks[state].icon}>
          {`${number(counts[state])} ${t(rowLooks[state].label)}`}
        </Chip>
      ))}
    </div>
  )
}

/** Progress of a batch. */
export function BatchProgress({ of: batch }: { of: Batch }) {
  const t = useT()
  const share = shareDone(batch)
  const text = t('bulk.progress', {
    done: number(Math.round(share * batch.total)),
    total: number(batch.total),
  })
  return (
    <div className="bulk-progress">
      <progress aria-label={t('words.progress')} value={share} max={1} />
      <p className="small text-3">{text}</p>
    </div>
  )
}
