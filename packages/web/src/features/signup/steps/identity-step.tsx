import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { config } from '../../../platform/config.ts'
import { Select } from '../../../ui/fields/select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { Signup } from '../use-signup.ts'
import { StepFrame } from './step-frame.tsx'
import { TokenField } from './token-field.tsx'

/** Step 1: names, and a reachable address or a token. */
export function IdentityStep({ signup }: { signup: Signup }) {
  const t = useT()
  const { identity, title, plan, plans = [] } = signup
  const mode = plan?.mode
  return (
    <StepFrame
      signup={signup}
      form={identity}
      title={t('words.yourDetails')}
      lead={t(mode === 'token' ? 'signup.identityLeadToken' : 'signup.identityLead')}
      submit={t('words.continue')}
      busyLabel={t('words.sending')}
    >
      {title === undefined && (
        <Select
          {...identity.field('plan')}
          label={t('words.plan')}
          options={[
            { value: '', label: t('signup.planSelect') },
            ...plans.map(({ title, name }) => ({ value: title, label: name })),
          ]}
          required
        />
      )}
      <div className="signup-pair">
        <TextField
          {...identity.field('first_name')}
          label={t('words.firstName')}
          optional
          autoComplete="given-name"
          maxLength={50}
        />
        <TextField
          {...identity.field('last_name')}
          label={t('words.lastName')}
          optional
          autoComplete="family-name"
          maxLength={50}
        />
      </div>
      {mode === 'token' ? (
        <TokenField {...identity.field('token')} />
      ) : (
        <TextField
          {...identity.field('email')}
          label={t('words.emailAddress')}
          hint={t('signup.emailHint', { sender: config['mail.from.address'] ?? config['app.name'] })}
          type="email"
          icon={IconMail}
          autoComplete="email"
          exact
          required
        />
      )}
    </StepFrame>
  )
}
