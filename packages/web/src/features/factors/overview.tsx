import type { FactorOverview } from '@gatehouse/contract/sessions/factors'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconShieldExclamation from '@tabler/icons-react/dist/esm/icons/IconShieldExclamation.mjs'
import type { ReactNode } from 'react'
import { canUsePasskeys } from '../../domain/proof/passkey-support.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { AddApp, AddPasskey } from './add-factor.tsx'
import { type NextStep, nextStep, type Protection, protectionOf } from './protection.ts'
import { RenewCodes } from './renew-codes.tsx'

const titles: Record<Protection, MessageKey> = {
  weak: 'factors.weak',
  fair: 'factors.fair',
  good: 'factors.good',
}
const advice: Record<NextStep, MessageKey> = {
  first: 'factors.adviceFirst',
  beside: 'factors.adviceBeside',
  codes: 'factors.adviceCodes',
  spare: 'factors.adviceSpare',
  fewCodes: 'factors.adviceFewCodes',
  done: 'factors.adviceDone',
}

/** How well the account is protected, by which factors, and the recommended next step. */
export function Overview({ overview, onChanged }: { overview: FactorOverview; onChanged: () => void }) {
  const t = useT()
  const protection = protectionOf(overview)
  const next = nextStep(overview)
  return (
    <Panel>
      <div className={`protection protection-${protection}`}>
        <Icon of={protection === 'good' ? IconShieldCheck : IconShieldExclamation} size="large" />
        <div>
          <h2>{t(titles[protection])}</h2>
          <p className="text-2">{t(advice[next])}</p>
          <p className="small text-3">{summary(t, overview)}</p>
        </div>
        <NextAction overview={overview} next={next} onChanged={onChanged} />
      </div>
    </Panel>
  )
}

interface NextActionProps {
  overview: FactorOverview
  next: NextStep
  onChanged: () => void
}

function NextAction({ overview, next, onChanged }: NextActionProps): ReactNode {
  const { passkeys, recovery } = overview
  if (next === 'done') return null
  if (next === 'codes' || next === 'fewCodes') {
    return <RenewCodes variant="primary" left={recovery.left} onRenewed={onChanged} />
  }
  if (canUsePasskeys() && passkeys.length === 0) return <AddPasskey variant="primary" onAdded={onChanged} />
  return <AddApp variant="primary" isFirst={next === 'first' || next === 'beside'} onAdded={onChanged} />
}

function summary(t: Translate, { totp, passkeys, companions, recovery, policy }: FactorOverview): string {
  const parts = [
    t('factors.countPasskeys', { count: passkeys.length }),
    t('factors.countApps', { count: totp.length }),
    companions > 0 && t('factors.countDevices', { count: companions }),
    t('factors.countCodes', { count: recovery.left }),
    policy.value === 'required' &&
      t(policy.source === 'system' ? 'factors.requiredHere' : 'factors.requiredByAccount'),
  ]
  return parts.filter(Boolean).join(' · ')
}
