import type { OneOffState, oneOffStates } from '@gatehouse/contract/billing/one-offs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconHourglassOff from '@tabler/icons-react/dist/esm/icons/IconHourglassOff.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import type { Tone } from '../../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../../ui/icon.tsx'

// Importing the contract's array would pull its validator into the bundle.
export const states = [
  'pending',
  'approved',
  'refused',
  'withdrawn',
  'expired',
] as const satisfies typeof oneOffStates

export const looks: Record<OneOffState, { tone: Tone; icon: Glyph; label: MessageKey }> = {
  pending: { tone: 'warning', icon: IconClock, label: 'approvals.pending' },
  approved: { tone: 'success', icon: IconCircleCheck, label: 'approvals.approved' },
  refused: { tone: 'danger', icon: IconCircleX, label: 'approvals.refused' },
  withdrawn: { tone: 'muted', icon: IconArrowBackUp, label: 'approvals.withdrawn' },
  expired: { tone: 'muted', icon: IconHourglassOff, label: 'approvals.expired' },
}
