import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconWifi from '@tabler/icons-react/dist/esm/icons/IconWifi.mjs'
import { useEffect, useRef, useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { type Glyph, Icon } from '../../../ui/icon.tsx'
import { type NetworkCheck, networkChecks, type Outcome, runCheck } from './network-test.ts'

type Results = Partial<Record<NetworkCheck, Outcome>>

const labels: Record<NetworkCheck, MessageKey> = {
  browser: 'meet.checkBrowser',
  portal: 'meet.checkPortal',
  speed: 'meet.checkSpeed',
  media: 'meet.checkMedia',
}

const advice: Record<NetworkCheck, MessageKey> = {
  browser: 'meet.adviceBrowser',
  portal: 'meet.advicePortal',
  speed: 'meet.adviceSpeed',
  media: 'meet.adviceMedia',
}

const looks: Record<Outcome, { icon: Glyph; word: MessageKey }> = {
  good: { icon: IconCircleCheck, word: 'meet.outcomeGood' },
  poor: { icon: IconAlertTriangle, word: 'meet.outcomePoor' },
  bad: { icon: IconCircleX, word: 'meet.outcomeBad' },
}

/** Tests the browser and network requirements of a meeting and explains how to fix what is missing. */
export function NetworkTest() {
  const t = useT()
  const [results, setResults] = useState<Results>()
  const shown = useRef(true)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])

  const run = async () => {
    setResults({})
    for (const check of networkChecks) {
      const outcome = await runCheck(check)
      if (!shown.current) return
      setResults((before) => ({ ...before, [check]: outcome }))
    }
  }
  return (
    <div className="meet-network">
      <Button size="small" icon={IconWifi} busyLabel={t('meet.testing')} onPress={run}>
        {t('meet.test')}
      </Button>
      <div role="status" aria-label={t('meet.testResults')}>
        {results && (
          <ul>
            {networkChecks.map((check) => (
              <Line key={check} check={check} outcome={results[check]} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function Line({ check, outcome }: { check: NetworkCheck; outcome: Outcome | undefined }) {
  const t = useT()
  const look = outcome && looks[outcome]
  return (
    <li className={outcome && `meet-${outcome}`}>
      {look ? <Icon of={look.icon} size="small" /> : <span className="spinner" aria-hidden="true" />}
      <span>
        {t(labels[check])} {look && <span className="text-3">{t(look.word)}</span>}
        {outcome && outcome !== 'good' && <span className="meet-advice small">{t(advice[check])}</span>}
      </span>
    </li>
  )
}
