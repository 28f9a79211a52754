import type { BatchState } from '@gatehouse/contract/directory/bulk'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCirclePause from '@tabler/icons-react/dist/esm/icons/IconCirclePause.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'

const looks: Record<BatchState, { label: MessageKey; tone: Tone; icon: Glyph }> = {
  reading: { label: 'imports.reading', tone: 'info', icon: IconClock },
  checking: { label: 'imports.checking', tone: 'info', icon: IconClock },
  ready: { label: 'imports.ready', tone: 'warning', icon: IconCirclePause },
  running: { label: 'imports.running', tone: 'info', icon: IconClock },
  done: { label: 'imports.done', tone: 'success', icon: IconCircleCheck },
  cancelled: { label: 'imports.cancelled', tone: 'muted', icon: IconCircleX },
}

/** State of a batch as icon, word and colour. */
export function BatchChip({ state }: { state: BatchState }) {
  const t = useT()
  const { label, tone, icon } = looks[state]
  return (
    <Chip tone={tone} icon={icon}>
      {t(label)}
    </Chip>
  )
}
