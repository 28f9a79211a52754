import type { LockdownReport } from '@gatehouse/contract/sessions/own-sessions'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import { useEffect, useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'

export interface LockdownResultProps {
  report: LockdownReport
  onDone: () => void
}

interface Step {
  title: string
  text: string
  /** Link to the place to do it. */
  to?: { path: '/security' | '/settings'; tab?: string; label: string }
}

/** Result of a lockdown: what ended, and what to set up again, with links. */
export function LockdownResult({ report, onDone }: LockdownResultProps) {
  const t = useT()
  const start = useRef<HTMLDivElement>(null)
  useEffect(() => start.current?.focus(), [])
  return (
    <div className="stack" ref={start} tabIndex={-1}>
      <Note tone="success" icon={IconShieldCheck} title={t('sessions.lockedTitle')} live>
        {t('sessions.lockedText')}
      </Note>
      <Panel title={t('sessions.lockedEnded')}>
        <ul className="lockdown-ended">
          {endedWords(t, report).map((text) => (
            <li key={text}>
              <Icon of={IconCircleCheck} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel
        title={t('sessions.lockedNext')}
        footer={
          <Button variant="primary" onPress={onDone}>
            {t('sessions.lockedDone')}
          </Button>
        }
      >
        <ol className="lockdown-steps">
          {nextSteps(t, report).map(({ title, text, to }) => (
            <li key={title}>
              <div>
                <b>{title}</b>
                <p className="text-2">{text}</p>
              </div>
              {to && (
                <ButtonLink to={to.path} search={to.tab ? { tab: to.tab } : undefined} size="small">
                  {to.label}
                </ButtonLink>
              )}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}

type T = ReturnType<typeof useT>

function endedWords(t: T, report: LockdownReport): string[] {
  const { sessions, appPasswords, apiKeys, apps, companions, resetCodes, isPasswordChanged } = report
  return [
    t('sessions.lockedSessions', { count: sessions }),
    t('sessions.lockedAppPasswords', { count: appPasswords.length, names: appPasswords.join(', ') }),
    ...(apiKeys.length > 0
      ? [t('sessions.lockedApiKeys', { count: apiKeys.length, names: apiKeys.join(', ') })]
      : []),
    ...(apps.length > 0 ? [t('sessions.lockedApps', { count: apps.length, names: apps.join(', ') })] : []),
    ...(companions.length > 0
      ? [t('sessions.lockedCompanions', { count: companions.length, names: companions.join(', ') })]
      : []),
    t('sessions.lockedLinks', { count: resetCodes }),
    ...(isPasswordChanged ? [t('sessions.lockedPassword')] : []),
  ]
}

function nextSteps(t: T, { appPasswords, apps, companions, isPasswordChanged }: LockdownReport): Step[] {
  const steps: (Step | false)[] = [
    !isPasswordChanged && {
      title: t('sessions.nextPassword'),
      text: t('sessions.nextPasswordText'),
      to: { path: '/settings', label: t('sessions.nextSettings') },
    },
    {
      title: t('sessions.nextFactors'),
      text: t('sessions.nextFactorsText'),
      to: { path: '/security', tab: 'factors', label: t('sessions.nextFactorsGo') },
    },
    {
      title: t('sessions.nextAddress'),
      text: t('sessions.nextAddressText'),
      to: { path: '/settings', tab: 'personal', label: t('sessions.nextSettings') },
    },
    appPasswords.length > 0 && {
      title: t('sessions.nextAppPasswords', { count: appPasswords.length }),
      text: t('sessions.nextAppPasswordsText', { names: appPasswords.join(', ') }),
      to: { path: '/security', tab: 'app-passwords', label: t('sessions.nextAppPasswordsGo') },
    },
    apps.length > 0 && {
      title: t('sessions.nextApps', { count: apps.length }),
      text: t('sessions.nextAppsText', { names: apps.join(', ') }),
    },
    companions.length > 0 && {
      title: t('sessions.nextCompanions', { count: companions.length }),
      text: t('sessions.nextCompanionsText', { names: companions.join(', ') }),
      to: { path: '/security', tab: 'companions', label: t('sessions.nextCompanionsGo') },
    },
    { title: t('sessions.nextDevices'), text: t('sessions.nextDevicesText') },
  ]
  return steps.filter((step) => step !== false)
}
