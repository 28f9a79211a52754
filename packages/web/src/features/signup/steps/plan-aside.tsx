import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import type { Signup } from '../use-signup.ts'
import { PlanPrice, PlanText } from './plan-facts.tsx'
import { step } from './steps.ts'

/** The chosen plan, with its price always in view. */
export function PlanAside({ signup: { plan, pending, previous, back } }: { signup: Signup }) {
  const t = useT()
  if (!plan) return null
  const canChange = previous === step.plans
  return (
    <Panel
      title={plan.name}
      actions={
        canChange && (
          <Button size="small" variant="quiet" onPress={back}>
            {t('signup.changePlan')}
          </Button>
        )
      }
      footer={t('signup.footnote')}
    >
      <PlanPrice plan={plan} pending={pending} />
      <PlanText html={plan.description} />
    </Panel>
  )
}
