import IconTicket from '@tabler/icons-react/dist/esm/icons/IconTicket.mjs'
import { PasswordInput } from '../../../domain/password-input/password-input.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { Signup } from '../use-signup.ts'
import { StepFrame } from './step-frame.tsx'
import { TokenField } from './token-field.tsx'

/** Step 3: address of the account, password, and voucher. */
export function AccountStep({ signup }: { signup: Signup }) {
  const t = useT()
  const { account, identity, proof, invited, plan } = signup
  const { values, errors } = account
  const { login, domain } = values
  const isPaid = plan?.mode === 'mandate'
  return (
    <StepFrame
      signup={signup}
      form={account}
      title={t('signup.accountTitle')}
      lead={t('signup.accountLead')}
      submit={t(isPaid ? 'words.continue' : invited ? 'signup.signUp' : 'signup.submit')}
      busyLabel={t(isPaid ? 'words.checking' : 'signup.submitting')}
    >
      {invited && <Invited signup={signup} />}
      <div className="signup-address">
        <TextField {...account.field('login')} label={t('words.userName')} exact required />
        <span aria-hidden="true">@</span>
        <DomainField signup={signup} />
      </div>
      {proof?.isDomain && proof.domains.length > 0 && (
        <Checkbox
          {...account.check('own')}
          label={t('signup.ownDomain')}
          hint={t('signup.ownDomainHint')}
          onChecked={(own) => {
            account.set('own', own)
            account.set('domain', own ? '' : values.selected)
          }}
        />
      )}
      <PasswordInput
        prefix="signup_"
        value={{ password: values.password, password_confirmation: values.password_confirmation }}
        onValue={({ password, password_confirmation }) => {
          account.set('password', password)
          account.set('password_confirmation', password_confirmation)
        }}
        errors={{
          password: errors.password?.text,
          password_confirmation: errors.password_confirmation?.text,
        }}
        person={{
          first_name: invited ? values.first_name : identity.values.first_name,
          last_name: invited ? values.last_name : identity.values.last_name,
          external_email: identity.values.email,
        }}
        username={login && domain ? `${login}@${domain}` : undefined}
      />
      <TextField
        {...account.field('voucher')}
        label={t('signup.voucher')}
        optional
        icon={IconTicket}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
      />
    </StepFrame>
  )
}

/** Fields not yet asked of an invited guest. */
function Invited({ signup: { account, plan } }: { signup: Signup }) {
  const t = useT()
  return (
    <>
      <div className="signup-pair">
        <TextField
          {...account.field('first_name')}
          label={t('words.firstName')}
          optional
          autoComplete="given-name"
          maxLength={128}
        />
        <TextField
          {...account.field('last_name')}
          label={t('words.lastName')}
          optional
          autoComplete="family-name"
          maxLength={128}
        />
      </div>
      {plan?.mode === 'token' && <TokenField {...account.field('token')} />}
    </>
  )
}

/** Select of the public domains, or the user's own domain. */
function DomainField({ signup: { account, proof } }: { signup: Signup }) {
  const t = useT()
  const domains = proof?.domains ?? []
  if (account.values.own || domains.length === 0) {
    return (
      <TextField
        {...account.field('domain')}
        label={t('words.domain')}
        placeholder={t('signup.domainExample')}
        inputMode="url"
        exact
        required
      />
    )
  }
  return (
    <Select
      {...account.field('domain')}
      label={t('words.domain')}
      options={domains.map((name) => ({ value: name, label: name }))}
      onValue={(name) => {
        account.set('domain', name)
        account.set('selected', name)
      }}
      required
    />
  )
}
