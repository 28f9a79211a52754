import type { SignupPlan } from '@gatehouse/contract/signup'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { Customer } from '../customer.tsx'
import { Notices } from '../notices.tsx'
import type { Signup } from '../use-signup.ts'
import { PlanDifferences, PlanIcon, PlanPrice, PlanText } from './plan-facts.tsx'
import { featuredPlan } from './steps.ts'

/** Step 0: choice of a plan. */
export function PlansStep({ signup }: { signup: Signup }) {
  const t = useT()
  const { plans = [], pending, choose } = signup
  const featured = featuredPlan(plans)
  return (
    <>
      <PageHead title={t('signup.chooseTitle')} facts={t('signup.chooseLead')} actions={<Customer />} />
      <Notices signup={signup} />
      {plans.length === 0 ? (
        <Note tone="warning" title={t('signup.noPlans')}>
          {t('signup.noPlansText')}
        </Note>
      ) : (
        <>
          <div className="plans">
            {plans.map((plan) => (
              <PlanCard
                key={plan.title}
                plan={plan}
                plans={plans}
                pending={pending}
                featured={plan === featured}
                onChoose={() => choose(plan)}
              />
            ))}
          </div>
          <p className="small text-3 signup-footnote">{t('signup.footnote')}</p>
        </>
      )}
    </>
  )
}

interface PlanCardProps {
  plan: SignupPlan
  plans: readonly SignupPlan[]
  pending: boolean
  /** Whether the plan is highlighted. */
  featured: boolean
  onChoose: () => void
}

function PlanCard({ plan, plans, pending, featured, onChoose }: PlanCardProps) {
  const t = useT()
  const titleId = `plan-${plan.title}`
  return (
    <section className={featured ? 'plan plan-featured' : 'plan'} aria-labelledby={titleId}>
      <PlanIcon plan={plan} />
      <div className="plan-name">
        <h2 id={titleId}>{plan.name}</h2>
        {featured && <Tag accent>{t('signup.forTeams')}</Tag>}
      </div>
      <PlanPrice plan={plan} pending={pending} />
      <PlanText html={plan.description} />
      <div className="plan-differences">
        <PlanDifferences plan={plan} plans={plans} />
      </div>
      <Button variant={featured ? 'primary' : 'default'} size="large" full onPress={onChoose}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server has taken out what could run */}
        <span dangerouslySetInnerHTML={{ __html: plan.button }} />
      </Button>
    </section>
  )
}
