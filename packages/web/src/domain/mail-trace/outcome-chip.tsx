import type { MailOutcome } from '@gatehouse/contract/mail/mail-outcomes'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCirclePause from '@tabler/icons-react/dist/esm/icons/IconCirclePause.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'

/** Labels of where a message is. */
export const outcomeLabels: Readonly<Record<MailOutcome, MessageKey>> = {
  delivered: 'mailtrace.delivered',
  accepted: 'mailtrace.accepted',
  delayed: 'mailtrace.delayed',
  held: 'mailtrace.held',
  refused: 'mailtrace.refused',
  bounced: 'mailtrace.bounced',
}

const looks: Readonly<Record<MailOutcome, { tone: Tone; icon: Glyph }>> = {
  delivered: { tone: 'success', icon: IconCircleCheck },
  accepted: { tone: 'info', icon: IconMail },
  delayed: { tone: 'warning', icon: IconClock },
  held: { tone: 'warning', icon: IconCirclePause },
  refused: { tone: 'danger', icon: IconCircleX },
  bounced: { tone: 'danger', icon: IconCircleX },
}

/** Where a message is, as icon, word and colour. */
export function OutcomeChip({ outcome }: { outcome: MailOutcome }) {
  const t = useT()
  return <Chip {...looks[outcome]}>{t(outcomeLabels[outcome])}</Chip>
}
