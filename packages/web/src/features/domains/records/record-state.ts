import type { DnsRecord, DnsRecordKind, DnsReport } from '@gatehouse/contract/directory/domains'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import { toDate } from '../../../i18n/format.ts'
import type { Tone } from '../../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../../ui/icon.tsx'

interface Look {
  tone: Tone
  icon: Glyph
  label: MessageKey
}

const looks = {
  ok: { tone: 'success', icon: IconCircleCheck, label: 'words.found' },
  different: { tone: 'warning', icon: IconAlertTriangle, label: 'domains.stateDifferent' },
  missing: { tone: 'danger', icon: IconCircleX, label: 'domains.stateMissing' },
  optional: { tone: 'muted', icon: IconInfoCircle, label: 'domains.stateOptional' },
  unknown: { tone: 'muted', icon: IconHelpCircle, label: 'domains.stateUnknown' },
  unchecked: { tone: 'muted', icon: IconClock, label: 'domains.stateUnchecked' },
} as const satisfies Record<string, Look>

/** How the state of a record is shown: one that nobody needs is not missed. */
export function lookOf({ state, isOptional }: DnsRecord): Look {
  return looks[state === 'missing' && isOptional ? 'optional' : state]
}

/** Name of each record and what it is good for, in words for people who never saw one. */
export const recordTexts: Record<DnsRecordKind, { name: MessageKey; use: MessageKey }> = {
  mx: { name: 'domains.mx', use: 'domains.mxUse' },
  spf: { name: 'domains.spfRecord', use: 'domains.spfUse' },
  dkim: { name: 'domains.dkim', use: 'domains.dkimUse' },
  dmarc: { name: 'domains.dmarc', use: 'domains.dmarcUse' },
  autoconfig: { name: 'domains.autoconfig', use: 'domains.autoconfigUse' },
  autodiscover: { name: 'domains.autodiscover', use: 'domains.autodiscoverUse' },
}

/** How many records are as they should be. */
export function countOk({ records }: DnsReport): number {
  return records.filter(({ state }) => state === 'ok').length
}

const shortest = 15_000
const longest = 300_000
/** Time that the look itself may take. */
const grace = 4000

/** Milliseconds until the report is worth reading again; false: no look is due. */
export function untilNextLook({ nextCheckAt }: DnsReport, now: Date): number | false {
  if (nextCheckAt === null) return false
  const left = toDate(nextCheckAt).getTime() - now.getTime() + grace
  return Math.min(Math.max(left, shortest), longest)
}
