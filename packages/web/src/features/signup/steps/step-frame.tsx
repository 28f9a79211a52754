import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import type { ReactNode } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { useFocusFirst } from '../../../ui/form/use-focus-first.ts'
import type { Form } from '../../../ui/form/use-form.ts'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Steps } from '../../../ui/page/steps.tsx'
import { Customer } from '../customer.tsx'
import { Notices } from '../notices.tsx'
import type { Signup } from '../use-signup.ts'
import { PlanAside } from './plan-aside.tsx'
import { type Step, step, wayOf } from './steps.ts'

const names: Record<Step, MessageKey> = {
  [step.plans]: 'words.plan',
  [step.identity]: 'words.yourDetails',
  [step.code]: 'words.confirmation',
  [step.account]: 'words.account',
  [step.summary]: 'signup.summaryTitle',
}

export interface StepFrameProps {
  signup: Signup
  form: Pick<Form<unknown>, 'props' | 'busy'>
  title: string
  lead: ReactNode
  submit: string
  busyLabel: string
  /** The fields. */
  children: ReactNode
}

/** Common frame of the numbered steps: header, progress, form with buttons, and the chosen plan beside it. */
export function StepFrame({ signup, form, title, lead, submit, busyLabel, children }: StepFrameProps) {
  const t = useT()
  const { shown, plan, invited, previous, back, finished } = signup
  const way = wayOf({ mode: plan?.mode, invited })
  const index = way.indexOf(shown)
  const count = t('signup.step', { step: index + 1, steps: way.length })
  const numbered = way.length > 1
  // offers from the path are shown in the first step
  const isFirst = shown === way[0]
  useFocusFirst(form.props.ref)

  return (
    <>
      <PageHead
        title={title}
        status={numbered && <span className="text-3">{count}</span>}
        facts={lead}
        actions={isFirst && <Customer />}
      />
      {numbered && <Steps names={way.map((each) => t(names[each]))} current={index} />}
      {isFirst && <Notices signup={signup} />}
      <div className="columns signup-step">
        <form {...form.props} className="panel" aria-label={numbered ? `${title}, ${count}` : title}>
          <div className="panel-body stack">{children}</div>
          <footer>
            {previous !== undefined && (
              <Button icon={IconArrowLeft} onPress={back} disabled={form.busy || finished}>
                {t('words.back')}
              </Button>
            )}
            <span className="spacer" />
            <Button type="submit" variant="primary" busy={form.busy || finished} busyLabel={busyLabel}>
              {submit}
            </Button>
          </footer>
        </form>
        <PlanAside signup={signup} />
      </div>
    </>
  )
}
