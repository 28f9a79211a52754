import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/facts/status-chip.tsx'
import { Panel, Tag } from '../../../ui/page/panel.tsx'
import { CheckTimes } from './check-times.tsx'
import { countOk, lookOf, textsOf } from './record-state.ts'
import { RecordsPanel } from './records-panel.tsx'
import { useCheck } from './use-check.ts'
import './records.css'

/** Whether the records of a confirmed domain are correct, one line each. */
export function RecordsSummary({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const { check, checks } = useCheck(domain)
  const { dnsReport } = domain
  const { records } = dnsReport
  if (records.length === 0) return <RecordsPanel domain={domain} />
  const ok = countOk(dnsReport)
  const summary = t('domains.recordsOk', { count: ok, total: records.length })
  return (
    <Panel
      flush
      title={t('domains.mailRecords')}
      actions={dnsReport.checkedAt !== null && <span className="small text-2">{summary}</span>}
      footer={
        <>
          <span className="records-since">
            <CheckTimes report={dnsReport} />
          </span>
          <span className="spacer" />
          <Button size="small" icon={IconRefresh} onPress={check} busyLabel={t('words.checking')}>
            {t(dnsReport.checkedAt === null ? 'words.checkNow' : 'domains.checkAgain')}
          </Button>
          <ButtonLink to="." search={{ tab: 'dns' }} size="small" icon={IconArrowRight}>
            {t('domains.showRecords')}
          </ButtonLink>
        </>
      }
    >
      <span className="visually-hidden" role="status">
        {checks > 0 && t('domains.checkDone', { summary })}
      </span>
      <ul className="records-list">
        {records.map((record) => {
          const look = lookOf(record)
          const { label, use } = textsOf(record, t)
          return (
            <li key={`${record.kind} ${record.name}`}>
              <Tag>{record.type}</Tag>
              <span className="records-list-text">
                <span className="medium">{label}</span>
                <span className="small text-3">{use}</span>
              </span>
              <Chip tone={look.tone} icon={look.icon}>
                {t(look.label)}
              </Chip>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
