import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCirclePause from '@tabler/icons-react/dist/esm/icons/IconCirclePause.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import type { ReactNode } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Glyph, Icon } from '../icon.tsx'
import './status-chip.css'

export type Status = 'deleted' | 'suspended' | 'degraded' | 'active' | 'not-ready'
export type Tone = 'muted' | 'success' | 'warning' | 'danger' | 'info'

export interface StatusFlags {
  isDeleted?: boolean
  isSuspended?: boolean
  isDegraded?: boolean
  isAccountDegraded?: boolean
  isReady?: boolean
}

const looks: Record<Status, { tone: Tone; icon: Glyph; label: MessageKey }> = {
  deleted: { tone: 'muted', icon: IconCircleX, label: 'words.deleted' },
  suspended: { tone: 'warning', icon: IconCirclePause, label: 'status.suspended' },
  degraded: { tone: 'warning', icon: IconAlertTriangle, label: 'status.degraded' },
  active: { tone: 'success', icon: IconCircleCheck, label: 'words.active' },
  'not-ready': { tone: 'danger', icon: IconClock, label: 'status.notReady' },
}

/** Returns the status to show, by the priority in the specification. */
export function statusOf(flags: StatusFlags): Status {
  if (flags.isDeleted) return 'deleted'
  if (flags.isSuspended) return 'suspended'
  if (flags.isDegraded || flags.isAccountDegraded) return 'degraded'
  return flags.isReady ? 'active' : 'not-ready'
}

/** Status of an object as icon, word and colour. */
export function StatusChip({ of: flags }: { of: StatusFlags }) {
  const t = useT()
  const { tone, icon, label } = looks[statusOf(flags)]
  return (
    <Chip tone={tone} icon={icon}>
      {t(label)}
    </Chip>
  )
}

/** A status chip for states other than an object's status. */
export function Chip({ tone, icon, children }: { tone: Tone; icon: Glyph; children: ReactNode }) {
  return (
    <span className={`chip chip-${tone}`}>
      <Icon of={icon} size="tiny" />
      {children}
    </span>
  )
}
