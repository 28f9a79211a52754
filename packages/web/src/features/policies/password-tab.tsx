import type { AccountPolicies } from '@gatehouse/contract/policies'
import { useT } from '../../i18n/i18n.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { ageChoices, historyChoices, type PasswordValues, plainRules, ruleOf } from './password-policy.ts'

export interface PasswordTabProps {
  policies: AccountPolicies
  form: Form<PasswordValues>
}

/** Password requirements of the account, and the maximum age of passwords. */
export function PasswordTab({ policies, form }: PasswordTabProps) {
  const t = useT()
  const refused = form.errors.password_policy
  return (
    <SavePanel form={form} title={t('policies.passwordTitle')} note={t('policies.passwordNote')}>
      {/* the server names the whole policy; what it says stands above all of it */}
      <input type="hidden" name="password_policy" />
      {refused && (
        <div className="policy-refused">
          <Note tone="danger" live title={errorLine(refused)} />
        </div>
      )}
      <FormSection title={t('policies.length')} hint={t('policies.lengthText')}>
        <Lengths policies={policies} form={form} />
      </FormSection>
      <FormSection title={t('policies.characters')} hint={t('policies.charactersText')}>
        <Characters policies={policies} form={form} />
      </FormSection>
      <FormSection title={t('policies.history')} hint={t('policies.historyText')}>
        <History policies={policies} form={form} />
      </FormSection>
      <FormSection title={t('policies.age')} hint={t('policies.ageText')}>
        <Age form={form} />
      </FormSection>
    </SavePanel>
  )
}

function Lengths({ policies, form }: PasswordTabProps) {
  const t = useT()
  const floor = ruleOf(policies.password, 'min')?.limit
  const ceiling = ruleOf(policies.password, 'max')?.limit
  return (
    <div className="policy-pair">
      <TextField
        {...form.field('min')}
        type="number"
        inputMode="numeric"
        required
        label={t('policies.min')}
        hint={floor && t('policies.floor', { limit: floor })}
      />
      <TextField
        {...form.field('max')}
        type="number"
        inputMode="numeric"
        required
        label={t('policies.max')}
        hint={ceiling && t('policies.ceiling', { limit: ceiling })}
      />
    </div>
  )
}

function Characters({ policies, form }: PasswordTabProps) {
  const t = useT()
  const labels = {
    lower: t('policies.lower'),
    upper: t('policies.upper'),
    digit: t('policies.digit'),
    special: t('policies.special'),
  }
  return (
    <div className="policy-pair">
      {plainRules.map((label) => {
        const required = ruleOf(policies.password, label)?.required
        return (
          <Checkbox
            key={label}
            {...form.check(label)}
            label={labels[label]}
            disabled={required}
            hint={required && t('policies.required')}
          />
        )
      })}
    </div>
  )
}

function History({ policies, form }: PasswordTabProps) {
  const t = useT()
  const rule = ruleOf(policies.password, 'last')
  const least = rule?.limit ?? 1
  const choices = historyChoices.filter((count) => count >= least)
  return (
    <>
      <Checkbox
        {...form.check('last')}
        label={t('policies.last')}
        disabled={rule?.required}
        hint={rule?.required && t('policies.required')}
      />
      <div className="policy-inset">
        <Select
          {...form.field('lastCount')}
          label={t('policies.lastCount')}
          disabled={!form.values.last}
          options={withCurrent(choices, form.values.lastCount).map((count) => ({
            value: String(count),
            label: t('policies.passwords', { count }),
          }))}
        />
      </div>
    </>
  )
}

function Age({ form }: { form: Form<PasswordValues> }) {
  const t = useT()
  return (
    <>
      <Checkbox {...form.check('retention')} label={t('policies.retention')} />
      <div className="policy-inset">
        <Select
          {...form.field('max_password_age')}
          label={t('policies.months')}
          disabled={!form.values.retention}
          options={withCurrent(ageChoices, form.values.max_password_age).map((count) => ({
            value: String(count),
            label: t('policies.everyMonths', { count }),
          }))}
        />
      </div>
    </>
  )
}

/** Includes the current number, which another client may have set to an unlisted value. */
function withCurrent(choices: readonly number[], current: string): number[] {
  return [...new Set([...choices, Number(current)])].sort((left, right) => left - right)
}
