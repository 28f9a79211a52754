import type { DkimKeyStage, DnsRecord, DnsRecordKind, DnsReport } from '@gatehouse/contract/directory/domains'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import { toDate } from '../../../i18n/format.ts'
import type { Translate } from '../../../i18n/i18n.ts'
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

/** Returns how to show a record's state; missing optional records aren't reported as missing. */
export function lookOf({ state, isOptional }: DnsRecord): Look {
  return looks[state === 'missing' && isOptional ? 'optional' : state]
}

/** Name and purpose of each kind of record, for readers new to DNS. */
const recordTexts: Record<DnsRecordKind, { name: MessageKey; use: MessageKey }> = {
  mx: { name: 'domains.mx', use: 'domains.mxUse' },
  spf: { name: 'domains.spfRecord', use: 'domains.spfUse' },
  dkim: { name: 'domains.dkim', use: 'domains.dkimUse' },
  dmarc: { name: 'domains.dmarc', use: 'domains.dmarcUse' },
  autoconfig: { name: 'domains.autoconfig', use: 'domains.autoconfigUse' },
  autodiscover: { name: 'domains.autodiscover', use: 'domains.autodiscoverUse' },
}

const algorithms = { rsa: 'RSA', ed25519: 'Ed25519' } as const

const keyUses: Record<DkimKeyStage, MessageKey> = {
  new: 'domains.dkimNewUse',
  signing: 'domains.dkimUse',
  old: 'domains.dkimOldUse',
}

/** Returns the name and purpose of a record. */
export function textsOf({ kind, key }: DnsRecord, t: Translate): { label: string; use: string } {
  const { name, use } = recordTexts[kind]
  if (key === undefined) return { label: t(name), use: t(use) }
  const label = t('domains.dkimKey', { algorithm: algorithms[key.algorithm], stage: key.stage })
  return { label, use: t(keyUses[key.stage]) }
}

/** Returns true while a DKIM key of the domain is being replaced, so that two records are needed. */
export function isReplacingKey(records: readonly DnsRecord[]): boolean {
  const keys = records.flatMap(({ key }) => key ?? [])
  return keys.some(
    ({ algorithm, stage }) =>
      stage !== 'signing' && keys.some((other) => other.algorithm === algorithm && other.stage === 'signing'),
  )
}

/** Returns the number of correct records. */
export function countOk({ records }: DnsReport): number {
  return records.filter(({ state }) => state === 'ok').length
}

const shortest = 15_000
const longest = 300_000
/** Time allowed for the check itself, in milliseconds. */
const grace = 4000

/** Returns the milliseconds until the report should be refetched; false: no check is due. */
export function untilNextLook({ nextCheckAt }: DnsReport, now: Date): number | false {
  if (nextCheckAt === null) return false
  const left = toDate(nextCheckAt).getTime() - now.getTime() + grace
  return Math.min(Math.max(left, shortest), longest)
}
