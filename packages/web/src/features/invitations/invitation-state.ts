import type { Invitation } from '@gatehouse/contract/invitations'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconHourglassOff from '@tabler/icons-react/dist/esm/icons/IconHourglassOff.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import type { Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'

/** States of an invitation; `expired` means that the link no longer works. */
export const states = ['new', 'sent', 'failed', 'completed', 'expired'] as const

export type InvitationState = (typeof states)[number]

export const looks: Record<InvitationState, { tone: Tone; icon: Glyph; label: MessageKey }> = {
  new: { tone: 'muted', icon: IconClock, label: 'invitations.stateNew' },
  sent: { tone: 'info', icon: IconSend, label: 'invitations.stateSent' },
  failed: { tone: 'danger', icon: IconCircleX, label: 'invitations.stateFailed' },
  completed: { tone: 'success', icon: IconCircleCheck, label: 'invitations.stateCompleted' },
  expired: { tone: 'warning', icon: IconHourglassOff, label: 'invitations.stateExpired' },
}

type Flags = Pick<Invitation, 'isNew' | 'isFailed' | 'isCompleted' | 'isExpired'>

/** Returns the state to show. A completed sign-up takes precedence over the state of the link. */
export function stateOf({ isNew, isFailed, isCompleted, isExpired }: Flags): InvitationState {
  if (isCompleted) return 'completed'
  if (isExpired) return 'expired'
  if (isFailed) return 'failed'
  return isNew ? 'new' : 'sent'
}

/** Whether an invitation can be resent: it isn't being sent already and hasn't been used. */
export function canResend(flags: Flags): boolean {
  return !['new', 'completed'].includes(stateOf(flags))
}
