import IconBrandMastercard from '@tabler/icons-react/dist/esm/icons/IconBrandMastercard.mjs'
import IconBrandVisa from '@tabler/icons-react/dist/esm/icons/IconBrandVisa.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Signup } from '../use-signup.ts'
import type { Summary } from '../use-signup-flow.ts'
import { StepFrame } from './step-frame.tsx'

/** Step 4: the amount to pay, before payment. */
export function SummaryStep({ signup, summary }: { signup: Signup; summary: Summary }) {
  const t = useT()
  const { title, content, table, hasCost } = summary
  return (
    <StepFrame
      signup={signup}
      form={signup.subscription}
      title={title ?? t('signup.summaryTitle')}
      lead={hasCost ? t('signup.summaryLead') : undefined}
      submit={t(hasCost ? 'signup.subscribe' : 'signup.submit')}
      busyLabel={t('signup.submitting')}
    >
      <p>{content}</p>
      {table && (
        <div
          className="signup-summary"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server
          dangerouslySetInnerHTML={{ __html: table }}
        />
      )}
      {hasCost && (
        <ul className="signup-cards" aria-label={t('signup.cards')}>
          <li>
            <Icon of={IconBrandVisa} size="large" />
            <span className="visually-hidden">Visa</span>
          </li>
          <li>
            <Icon of={IconBrandMastercard} size="large" />
            <span className="visually-hidden">Mastercard</span>
          </li>
        </ul>
      )}
    </StepFrame>
  )
}
