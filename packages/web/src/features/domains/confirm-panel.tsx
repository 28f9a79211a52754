import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { ReactNode } from 'react'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import type { Confirmation } from './use-confirm.ts'

export interface ConfirmPanelProps {
  domain: DomainDetail
  confirmation: Confirmation
}

/** Explains how to prove ownership of a domain, for people who have never edited DNS. */
export function ConfirmPanel({ domain, confirmation }: ConfirmPanelProps) {
  const t = useT()
  const { namespace, displayName, hash_text, hash_cname, hash_code, proof } = domain
  const target = `${hash_code}.${namespace}.`
  const line = `${proof.name}.${namespace}. IN CNAME ${target}`
  return (
    <Panel
      title={t('domains.confirmTitle', { domain: displayName })}
      footer={
        <>
          <p className="domains-outcome" role="status">
            {confirmation.missedAt
              ? t('domains.missedAt', { time: moment(confirmation.missedAt) })
              : t('domains.weLook')}
          </p>
          <Button
            variant="primary"
            icon={IconCheck}
            onPress={confirmation.confirm}
            busy={confirmation.busy}
            busyLabel={t('domains.confirming')}
          >
            {t('domains.confirmNow')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p className="text-2">{t('domains.confirmText')}</p>
        <ol className="domains-steps">
          <li>{t('domains.stepRegistrar')}</li>
          <li>
            {t('domains.stepRecord')}
            <div className="domains-proofs">
              <Proof type="TXT" title={t('domains.proofText')}>
                <Part name={t('domains.partHost')} text="@" copies={t('domains.copyHost')} />
                <Part name={t('words.value')} text={proof.text} copies={t('domains.copyText')} />
              </Proof>
              <p className="domains-or">{t('domains.or')}</p>
              <Proof type="CNAME" title={t('domains.proofCname')}>
                <Part name={t('domains.partHost')} text={proof.name} copies={t('domains.copyCnameHost')} />
                <Part name={t('domains.partTarget')} text={target} copies={t('domains.copyCname')} />
                <Part name={t('domains.partLine')} text={line} copies={t('domains.copyLine')} />
              </Proof>
            </div>
            <p className="small text-2 domains-other-name">
              {rich(t('domains.otherName', { name: proof.name, other: hash_cname, text: hash_text }), {
                code: (text) => <code>{text}</code>,
              })}
            </p>
          </li>
          <li>{t('domains.stepBack')}</li>
        </ol>
        <details className="domains-zone">
          <summary>{t('domains.zoneTitle')}</summary>
          <p className="small text-2">{rich(t('domains.zoneText'), { b: (text) => <b>{text}</b> })}</p>
          <CopyValue boxed text={proof.zone.join('\n')} label={t('domains.copySample')} />
        </details>
      </div>
    </Panel>
  )
}

function Proof({ type, title, children }: { type: string; title: string; children: ReactNode }) {
  return (
    <section className="domains-proof" aria-label={title}>
      <h3>
        <Tag>{type}</Tag> {title}
      </h3>
      <dl>{children}</dl>
    </section>
  )
}

function Part({ name, text, copies }: { name: string; text: string; copies: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <CopyValue text={text} label={copies} />
      </dd>
    </div>
  )
}
