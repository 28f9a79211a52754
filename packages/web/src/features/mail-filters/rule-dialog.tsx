import { filterLimits, textTests } from '@gatehouse/contract/mail/filter-terms'
import type { FilterRule } from '@gatehouse/contract/mail/mail-filters'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { ActionRow } from './action-row.tsx'
import { ConditionRow } from './condition-row.tsx'
import { draftOf, newAction, newCondition, type RuleDraft, ruleOf } from './rule-draft.ts'
import { ruleSentence } from './rule-sentence.ts'

export interface RuleDialogProps {
  /** Undefined: a new one. */
  rule: FilterRule | undefined
  onDone: (rule: FilterRule) => void
  onClose: () => void
}

/** Edits a rule. It's saved with the page. */
export function RuleDialog({ rule, onDone, onClose }: RuleDialogProps) {
  const t = useT()
  const form: Form<RuleDraft> = useForm<RuleDraft>({
    initial: draftOf(rule),
    prefix: 'filter-rule-',
    submit: (draft) => onDone(ruleOf(draft, rule?.isEnabled ?? true)),
  })
  const edited = ruleOf(form.values, true)
  return (
    <FormDialog
      wide
      title={rule ? t('mailfilters.editRule') : t('mailfilters.newRule')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('mailfilters.apply')}
    >
      <TextField
        {...form.field('name')}
        label={t('words.name')}
        required
        maxLength={100}
        autoComplete="off"
      />
      <Conditions form={form} />
      <Actions form={form} />
      <Checkbox {...form.check('isLast')} label={t('mailfilters.isLast')} />
      <p className="filter-preview" role="status">
        {ruleSentence(t, edited)}
      </p>
      {/* Enter in a field submits, as the button in the foot does */}
      <button type="submit" hidden />
    </FormDialog>
  )
}

function Conditions({ form }: { form: Form<RuleDraft> }) {
  const t = useT()
  const { conditions } = form.values
  return (
    <fieldset className="filter-group">
      <legend className="field-label">{t('mailfilters.conditions')}</legend>
      {conditions.length > 1 && (
        <Select
          {...form.field('match')}
          label={t('mailfilters.match')}
          hideLabel
          options={[
            { value: 'all', label: t('mailfilters.matchAll') },
            { value: 'any', label: t('mailfilters.matchAny') },
          ]}
        />
      )}
      {conditions.length === 0 && <p className="small text-3">{t('mailfilters.noConditions')}</p>}
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          condition={condition}
          tests={textTests}
          number={index + 1}
          onChange={(changes) => form.set('conditions', conditions.with(index, { ...condition, ...changes }))}
          onRemove={() => form.set('conditions', conditions.toSpliced(index, 1))}
        />
      ))}
      <Button
        size="small"
        icon={IconPlus}
        disabled={conditions.length >= filterLimits.conditions}
        onPress={() => form.set('conditions', [...conditions, newCondition()])}
      >
        {t('mailfilters.addCondition')}
      </Button>
    </fieldset>
  )
}

function Actions({ form }: { form: Form<RuleDraft> }) {
  const t = useT()
  const { actions } = form.values
  return (
    <fieldset className="filter-group">
      <legend className="field-label">{t('mailfilters.actions')}</legend>
      {actions.map((action, index) => (
        <ActionRow
          key={action.key}
          action={action}
          number={index + 1}
          isOnly={actions.length === 1}
          onChange={(changes) => form.set('actions', actions.with(index, { ...action, ...changes }))}
          onRemove={() => form.set('actions', actions.toSpliced(index, 1))}
        />
      ))}
      <Button
        size="small"
        icon={IconPlus}
        disabled={actions.length >= filterLimits.actions}
        onPress={() => form.set('actions', [...actions, newAction('mark-read')])}
      >
        {t('mailfilters.addAction')}
      </Button>
    </fieldset>
  )
}
