import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconPoint from '@tabler/icons-react/dist/esm/icons/IconPoint.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { type ReactNode, useId } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button, ButtonLink } from '../buttons/button.tsx'
import { type Glyph, Icon } from '../icon.tsx'
import { toasts } from '../toasts/store.ts'
import { type SetupAnswer, type SetupProcess, setupProgress } from './setup-process.ts'
import { useSetupPoller } from './use-setup-poller.ts'
import './status-box.css'

export interface StatusBoxProps<A extends SetupAnswer> {
  /** What is being set up, for the texts. */
  kind: 'account' | 'user' | 'domain' | 'distlist' | 'resource' | 'folder'
  process: SetupProcess
  /** The object's status call. Only the box handles its errors. */
  load: (options: { refresh: boolean; signal: AbortSignal }) => Promise<A>
  /** Called with each response, so that the rest of the page follows. */
  onAnswer: (answer: A) => void
  /** Confirms the domain on its own page; elsewhere, the step links there. */
  confirm?: ReactNode
}

/** Setup progress of an object; renders nothing once it is done. Use the object's id as key. */
export function StatusBox<A extends SetupAnswer>(props: StatusBoxProps<A>) {
  return props.process.isDone ? null : <OpenStatusBox {...props} />
}

function OpenStatusBox<A extends SetupAnswer>({ kind, process, load, onAnswer, confirm }: StatusBoxProps<A>) {
  const t = useT()
  const titleId = useId()
  const { waiting, refresh } = useSetupPoller({ process, load, onAnswer })
  const { percent, current, needsOwner } = setupProgress(process)
  const stuck = process.processState === 'failed' && !needsOwner && !waiting
  const tone = stuck ? 'failed' : needsOwner ? 'confirm' : 'running'

  const push = async () => {
    const answer = await refresh()
    if (answer?.message) toasts.show({ type: answer.status ?? 'info', message: answer.message })
  }

  return (
    <section className={`panel status-box status-box-${tone}`} aria-labelledby={titleId}>
      {tone === 'running' ? (
        <span className="spinner" aria-hidden="true" />
      ) : (
        <Icon of={IconAlertTriangle} size="large" />
      )}
      <div className="status-box-text">
        <p className="row wrap">
          <b id={titleId}>{t(needsOwner ? 'setup.almostReady' : 'setup.preparing', { kind })}</b>
          <span className="small text-3">{t(hints[tone])}</span>
          <b className="small status-box-percent">{percent}%</b>
        </p>
        <div
          className="status-bar"
          role="progressbar"
          aria-labelledby={titleId}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={current ? `${percent}%, ${current.title}` : `${percent}%`}
        >
          <i style={{ width: `${percent}%` }} />
        </div>
        <Steps process={process} />
      </div>
      {needsOwner && (confirm ?? (current?.link && <ConfirmLink to={current.link} />))}
      {stuck && (
        <Button icon={IconRefresh} onPress={push}>
          {t('setup.refresh')}
        </Button>
      )}
    </section>
  )
}

const hints = {
  running: 'setup.someMissing',
  confirm: 'setup.confirmHint',
  failed: 'setup.refreshHint',
} as const

function ConfirmLink({ to }: { to: string }) {
  const t = useT()
  return <ButtonLink to={to}>{t('setup.confirm')}</ButtonLink>
}

type StepState = 'done' | 'now' | 'later'

const stepIcons: Record<StepState, Glyph> = { done: IconCheck, now: IconClock, later: IconPoint }
const stepNames = { done: 'setup.stepDone', now: 'setup.stepNow', later: 'setup.stepLater' } as const

function Steps({ process }: { process: SetupProcess }) {
  const t = useT()
  const { current } = setupProgress(process)
  return (
    <ul className="status-steps">
      {process.process.map((step) => {
        const state: StepState = step.state ? 'done' : step === current ? 'now' : 'later'
        return (
          <li key={step.label} className={`status-step-${state}`}>
            <Icon of={stepIcons[state]} size="small" label={t(stepNames[state])} />
            {step.title}
          </li>
        )
      })}
    </ul>
  )
}
