import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { balance, day, number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { openSupport } from '../../../platform/navigation/support.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { walletQuery } from '../wallet-calls.ts'
import type { ChainFault, ChainVerdict } from './chain.ts'
import { downloadChain, useVerification } from './use-verification.ts'

/** Lets the owner verify the chain of the wallet's entries without trusting the server. */
export function VerifyTab({ id }: { id: string }) {
  const t = useT()
  const { state, verify } = useVerification(id)
  const isBusy = state.step === 'loading' || state.step === 'running'
  const reasonId = useId()
  const canHash = globalThis.crypto?.subtle !== undefined
  const download = async () => {
    const { content, name } = await downloadChain(id)
    saveFile(content, name)
  }
  return (
    <Panel title={t('wallet.verifyTitle')}>
      <div className="stack wallet-verify">
        <p className="text-2">{t('wallet.verifyText')}</p>
        {!canHash && (
          <div id={reasonId}>
            <Note tone="warning" title={t('wallet.verifyInsecure')} />
          </div>
        )}
        <div className="row wrap">
          <Button
            variant="primary"
            icon={IconShieldCheck}
            onPress={verify}
            busy={isBusy}
            busyLabel={t('wallet.verifying')}
            disabled={!canHash}
            aria-describedby={canHash ? undefined : reasonId}
          >
            {t('wallet.verifyNow')}
          </Button>
          <Button icon={IconDownload} onPress={download}>
            {t('wallet.chainDownload')}
          </Button>
        </div>
        {state.step === 'loading' && <Progress />}
        {state.step === 'running' && <Progress done={state.done} all={state.all} />}
        {state.step === 'failed' && <LoadFailed onRetry={verify} />}
        {state.step === 'done' && <Verdict id={id} verdict={state.verdict} onDownload={download} />}
      </div>
    </Panel>
  )
}

/** Progress of the verification; without numbers, the chain is still loading. */
function Progress({ done, all }: { done?: number; all?: number }) {
  const t = useT()
  const id = useId()
  const share = done !== undefined && all ? done / all : 0
  return (
    <div className="stack stack-tight">
      <p id={id} className="small text-2">
        {done === undefined || all === undefined
          ? t('wallet.chainLoading')
          : t('wallet.chainProgress', { done: number(done), all: number(all) })}
      </p>
      <div
        className="meter"
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}

interface VerdictProps {
  id: string
  verdict: ChainVerdict
  onDownload: () => Promise<void>
}

function Verdict({ id, verdict, onDownload }: VerdictProps) {
  return verdict.holds ? (
    <Holds id={id} verdict={verdict} />
  ) : (
    <Broken verdict={verdict} onDownload={onDownload} />
  )
}

function Holds({ id, verdict }: { id: string; verdict: Extract<ChainVerdict, { holds: true }> }) {
  const t = useT()
  const wallet = useQuery(walletQuery(id))
  const { entries, first, last, head, confirmed } = verdict
  const currency = wallet.data?.currency ?? 'CHF'
  return (
    <>
      <Note tone="success" live title={t('wallet.holds', { count: entries })}>
        {entries > 0 && t('wallet.holdsText')} {confirmed && t('wallet.holdsKnown')}
      </Note>
      {head && first && last && (
        <Facts
          facts={[
            { label: t('wallet.chainEntries'), value: number(entries) },
            { label: t('wallet.chainSpan'), value: `${day(first)} – ${day(last)}` },
            { label: t('wallet.chainBalance'), value: balance(verdict.balance, currency) },
            {
              label: t('wallet.chainHash'),
              value: <CopyValue text={head.hash} label={t('wallet.chainHash')} />,
            },
          ]}
        />
      )}
    </>
  )
}

const faults: Record<ChainFault, MessageKey> = {
  unreadable: 'wallet.faultUnreadable',
  wallet: 'wallet.faultWallet',
  number: 'wallet.faultNumber',
  previous: 'wallet.faultPrevious',
  balance: 'wallet.faultBalance',
  hash: 'wallet.faultHash',
  head: 'wallet.faultHead',
}

function Broken({
  verdict: { line, fault },
  onDownload,
}: {
  verdict: Extract<ChainVerdict, { holds: false }>
  onDownload: () => Promise<void>
}) {
  const t = useT()
  return (
    <>
      <Note tone="danger" live title={t('wallet.broken', { line: number(line) })}>
        {t(faults[fault])}
      </Note>
      <div>
        <h3>{t('wallet.brokenNext')}</h3>
        <ol className="wallet-steps">
          <li>{t('wallet.brokenSave')}</li>
          <li>{t('wallet.brokenTell', { line: number(line) })}</li>
          <li>{t('wallet.brokenKeep')}</li>
        </ol>
      </div>
      <div className="row wrap">
        <Button icon={IconDownload} onPress={onDownload}>
          {t('wallet.chainDownload')}
        </Button>
        <Button onPress={openSupport}>{t('words.contactSupport')}</Button>
      </div>
    </>
  )
}
