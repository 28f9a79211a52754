import type { DnsRecord } from '@gatehouse/contract/directory/domains'
import { useT } from '../../../i18n/i18n.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Chip } from '../../../ui/facts/status-chip.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { differences } from './differences.ts'
import { lookOf, textsOf } from './record-state.ts'
import { hostOf, isLongText, zoneFileText } from './zone-text.ts'

export interface RecordRowProps {
  record: DnsRecord
  namespace: string
}

/** A DNS record: purpose, name, expected and actual value. */
export function RecordRow({ record, namespace }: RecordRowProps) {
  const t = useT()
  const { type, name, wanted } = record
  const look = lookOf(record)
  const { label, use } = textsOf(record, t)
  return (
    <tr>
      <th scope="row" className="records-what">
        <span className="records-name">
          <Tag>{type}</Tag>
          <span className="medium">{label}</span>
        </span>
        <CopyValue text={hostOf(name, namespace)} label={t('domains.copyName', { record: label })} />
        <span className="small text-3 records-use">{use}</span>
      </th>
      <td className="records-wanted">
        <span className="records-head">{t('domains.wanted')}</span>
        <span className="records-values">
          {wanted.map((value) => (
            <CopyValue key={value} text={value} label={t('domains.copyValue', { record: label })} />
          ))}
          {type === 'TXT' &&
            wanted.filter(isLongText).map((value) => <SplitText key={value} value={value} />)}
        </span>
      </td>
      <td className="records-found">
        <span className="records-head">{t('words.found')}</span>
        <span className="records-values">
          <Found record={record} />
        </span>
      </td>
      <td className="records-result">
        <Chip tone={look.tone} icon={look.icon}>
          {t(look.label)}
        </Chip>
      </td>
    </tr>
  )
}

/** Copies a long text in strings of a TXT record, for DNS providers that don't split it themselves. */
function SplitText({ value }: { value: string }) {
  const t = useT()
  return (
    <CopyButton
      size="small"
      text={zoneFileText(value)}
      label={t('domains.copySplit')}
      copied={t('words.copied')}
      onRefused={() => toasts.info(t('copy.refused'))}
    />
  )
}

function Found({ record: { found, wanted, state } }: { record: DnsRecord }) {
  const t = useT()
  if (state === 'unknown') return <span className="text-3">{t('domains.noAnswer')}</span>
  if (state === 'unchecked') return <span className="text-3">–</span>
  if (found.length === 0) return <span className="text-3">{t('domains.nothingFound')}</span>
  return found.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a server may return duplicates
    <code key={index} className={state === 'ok' ? 'text-3' : undefined}>
      {state === 'ok' ? value : <Differences found={value} wanted={wanted} />}
    </code>
  ))
}

function Differences({ found, wanted }: { found: string; wanted: readonly string[] }) {
  return differences(found, wanted).map(({ text, differs }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other key
    differs ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  )
}
