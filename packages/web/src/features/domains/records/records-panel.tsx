import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { CheckTimes } from './check-times.tsx'
import { RecordRow } from './record-row.tsx'
import { countOk, isReplacingKey } from './record-state.ts'
import { useCheck } from './use-check.ts'
import { zoneText } from './zone-text.ts'
import './records.css'

/** All DNS records a domain needs for mail: expected and actual values side by side. */
export function RecordsPanel({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const { check, checks } = useCheck(domain)
  const { dnsReport, mx } = domain
  const { records } = dnsReport
  if (records.length === 0) return <SampleZone lines={mx} />
  const summary = t('domains.recordsOk', { count: countOk(dnsReport), total: records.length })
  return (
    <div className="stack">
      <Notes domain={domain} />
      <Panel
        flush
        title={t('domains.mailRecords')}
        actions={
          <>
            <span className="small text-2 records-times">
              {dnsReport.checkedAt !== null && `${summary} · `}
              <CheckTimes report={dnsReport} />
            </span>
            <Button size="small" icon={IconRefresh} onPress={check} busyLabel={t('words.checking')}>
              {t(dnsReport.checkedAt === null ? 'words.checkNow' : 'domains.checkAgain')}
            </Button>
          </>
        }
        footer={<Footer domain={domain} />}
      >
        <span className="visually-hidden" role="status">
          {checks > 0 && t('domains.checkDone', { summary })}
        </span>
        <table className="records" aria-label={t('domains.mailRecords')}>
          <thead>
            <tr>
              <th scope="col">{t('words.record')}</th>
              <th scope="col">{t('domains.wanted')}</th>
              <th scope="col">{t('words.found')}</th>
              <th scope="col">{t('domains.result')}</th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <RecordRow key={`${record.kind} ${record.name}`} record={record} namespace={domain.namespace} />
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  )
}

/** General notes above the records. */
function Notes({ domain: { dnsReport, isConfirmed } }: { domain: DomainDetail }) {
  const t = useT()
  const { records, checkedAt } = dnsReport
  const isSilent = checkedAt !== null && records.every(({ state }) => state === 'unknown')
  if (isSilent) {
    return (
      <Note tone="warning" title={t('domains.silentTitle')}>
        {t('domains.silentText')}
      </Note>
    )
  }
  if (!isConfirmed) return <Note title={t('domains.earlyTitle')}>{t('domains.earlyText')}</Note>
  if (!isReplacingKey(records)) return null
  return <Note title={t('domains.rotationTitle')}>{t('domains.rotationText')}</Note>
}

function Footer({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const { dnsReport, displayName } = domain
  const zone = zoneText(dnsReport.records)
  const letter = new URLSearchParams({
    subject: t('domains.letterSubject', { domain: displayName }),
    body: `${t('domains.letterBody', { domain: displayName })}\n\n${zone}\n`,
  })
  return (
    <>
      <span className="records-spread">{t('domains.spread')}</span>
      <span className="spacer" />
      <CopyButton
        size="small"
        text={zone}
        label={t('domains.copyZone')}
        copied={t('words.copied')}
        onRefused={() => toasts.warning(t('domains.copyZoneRefused'))}
      />
      {/* mail programs want %20 where forms have a plus */}
      <ButtonLink to={`mailto:?${letter.toString().replaceAll('+', '%20')}`} size="small" icon={IconMail}>
        {t('domains.sendToRegistrar')}
      </ButtonLink>
    </>
  )
}

/** Zone lines suggested by the server, for operators who haven't configured the expected records. */
function SampleZone({ lines }: { lines: readonly string[] }) {
  const t = useT()
  return (
    <Panel title={t('domains.mailRecords')}>
      <div className="stack stack-tight">
        <p>{t('domains.sampleText')}</p>
        {lines.length > 0 && <CopyValue boxed text={lines.join('\n')} label={t('domains.copyZone')} />}
      </div>
    </Panel>
  )
}
