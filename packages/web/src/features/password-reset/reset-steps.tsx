import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { PasswordInput } from '../../domain/password-input/password-input.tsx'
import { ProofFields, submitWords } from '../../domain/proof/proof-fields.tsx'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { config } from '../../platform/config.ts'
import { WaitButton } from '../../ui/buttons/wait-button.tsx'
import { CodeField } from '../../ui/fields/code-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { StepFrame } from './step-frame.tsx'
import type { Reset } from './use-reset.ts'

/** Seconds until another mail can be requested. */
const resendWait = 60

interface StepProps {
  reset: Reset
}

/** Step 1: address of the account. */
export function AddressStep({ reset }: StepProps) {
  const t = useT()
  const { address } = reset
  const sender = config['mail.from.address']
  return (
    <StepFrame
      reset={reset}
      form={address}
      title={t('reset.title')}
      lead={t('reset.lead')}
      submit={t('words.continue')}
      busyLabel={t('words.sending')}
    >
      <TextField
        {...address.field('email')}
        label={t('words.emailAddress')}
        hint={sender && t('reset.emailHint', { sender })}
        type="email"
        icon={IconMail}
        autoComplete="username"
        exact
        required
      />
    </StepFrame>
  )
}

/** Step 2: the code from the mail. Doesn't reveal whether one was sent. */
export function CodeStep({ reset }: StepProps) {
  const t = useT()
  const { confirmation, sent, ask } = reset
  const again = async () => {
    await ask()
    toasts.success(t('reset.sentAgain'))
  }
  return (
    <StepFrame
      reset={reset}
      form={confirmation}
      title={t('reset.codeTitle')}
      lead={rich(t('reset.codeLead', { email: displayAddress(sent?.email ?? '') }), {
        b: (words) => <b>{words}</b>,
      })}
      submit={t('words.continue')}
      busyLabel={t('words.checking')}
    >
      <CodeField
        {...confirmation.field('short_code')}
        label={t('words.confirmationCode')}
        hint={t('reset.codeHint')}
        required
      />
      <div>
        <WaitButton
          label={t('words.sendAgain')}
          waiting={(seconds) => t('words.sendAgainIn', { seconds })}
          wait={resendWait}
          onPress={again}
        />
      </div>
    </StepFrame>
  )
}

/** Step 3, continued: the second factor of an account that has one. */
export function FactorStep({ reset }: StepProps) {
  const t = useT()
  const { sent, second } = reset
  const { label, busyLabel } = submitWords(t, second.factor)
  return (
    <StepFrame
      reset={reset}
      form={second.factor.form}
      title={t('proof.secondTitle')}
      lead={t('reset.factorLead')}
      submit={second.factor.shown ? label : undefined}
      busyLabel={busyLabel}
    >
      <ProofFields proof={second.factor} username={sent?.email} />
    </StepFrame>
  )
}

/** Step 3: the new password and, if the account has one, the second factor. */
export function PasswordStep({ reset }: StepProps) {
  const t = useT()
  const { password, proof, sent } = reset
  const { values, errors } = password
  return (
    <StepFrame
      reset={reset}
      form={password}
      title={t('reset.passwordTitle')}
      lead={t('reset.passwordLead')}
      submit={t('reset.submit')}
      busyLabel={t('reset.submitting')}
    >
      <PasswordInput
        prefix="reset_"
        value={{ password: values.password, password_confirmation: values.password_confirmation }}
        onValue={(value) => {
          password.set('password', value.password)
          password.set('password_confirmation', value.password_confirmation)
        }}
        errors={{
          password: errors.password?.text,
          password_confirmation: errors.password_confirmation?.text,
        }}
        policyOf={proof && { user: proof.userId, code: proof.code, short_code: proof.short_code }}
        username={sent?.email}
      />
      <TextField
        {...password.field('secondfactor')}
        label={t('words.secondFactor')}
        optional
        hint={t('reset.secondfactorHint')}
        icon={IconKey}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </StepFrame>
  )
}
