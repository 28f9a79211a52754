import type { Overview } from '@gatehouse/contract/overview'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Link } from '../../router/link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { firstSteps } from './steps.ts'
import './first-steps.css'

/** First steps in an empty account. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const t = useT()
  return (
    <div className="first-steps">
      <Panel title={t('dashboard.firstSteps')} flush>
        <ol>
          {firstSteps(overview).map(({ name, title, text, to, isDone }) => (
            <li key={name} className={isDone ? 'first-steps-done' : undefined}>
              <Icon
                of={isDone ? IconCircleCheck : IconCircle}
                label={t(isDone ? 'dashboard.stepDone' : 'dashboard.stepOpen')}
              />
              <div>
                <Link to={to}>{t(title)}</Link>
                <p>{t(text)}</p>
              </div>
              <Icon of={IconChevronRight} size="small" />
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}
