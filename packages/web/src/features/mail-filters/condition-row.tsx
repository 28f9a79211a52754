import { filterLimits, type TextTest } from '@gatehouse/contract/mail/filter-terms'
import type { FilterCondition } from '@gatehouse/contract/mail/mail-filters'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { ConditionDraft } from './rule-draft.ts'
import { fieldLabels } from './rule-sentence.ts'

const fields: readonly FilterCondition['field'][] = ['from', 'to', 'subject', 'list', 'size', 'header']

const testLabels = {
  contains: 'mailfilters.test.contains',
  'not-contains': 'mailfilters.test.notContains',
  is: 'mailfilters.test.is',
  'ends-with': 'mailfilters.test.endsWith',
} as const satisfies Record<TextTest, string>

export interface ConditionRowProps {
  condition: ConditionDraft
  tests: readonly TextTest[]
  /** Position, for the names of its fields. */
  number: number
  onChange: (changes: Partial<ConditionDraft>) => void
  onRemove: () => void
}

/** One condition of a rule. */
export function ConditionRow({ condition, tests, number, onChange, onRemove }: ConditionRowProps) {
  const t = useT()
  const id = `filter-rule-condition-${condition.key}`
  const { field, test, value, header, sizeTest, size } = condition
  return (
    <div className="filter-row">
      <Select
        id={`${id}-field`}
        label={t('mailfilters.fieldNumber', { number })}
        hideLabel
        value={field}
        onValue={(next) => onChange({ field: fields.find((one) => one === next) ?? 'from' })}
        options={fields.map((one) => ({ value: one, label: t(fieldLabels[one]) }))}
      />
      {field === 'header' && (
        <TextField
          id={`${id}-header`}
          name={`${id}-header`}
          label={t('mailfilters.headerName')}
          hideLabel
          placeholder="X-Priority"
          required
          exact
          maxLength={76}
          value={header}
          onValue={(next) => onChange({ header: next })}
        />
      )}
      {field === 'size' ? (
        <>
          <Select
            id={`${id}-test`}
            label={t('mailfilters.testNumber', { number })}
            hideLabel
            value={sizeTest}
            onValue={(next) => onChange({ sizeTest: next === 'under' ? 'under' : 'over' })}
            options={[
              { value: 'over', label: t('mailfilters.test.over') },
              { value: 'under', label: t('mailfilters.test.under') },
            ]}
          />
          <TextField
            id={`${id}-size`}
            name={`${id}-size`}
            label={t('mailfilters.kilobytes')}
            hideLabel
            end={<span className="text-3 small filter-unit">KB</span>}
            required
            inputMode="numeric"
            value={size}
            onValue={(next) => onChange({ size: next.replaceAll(/\D/g, '').slice(0, 7) })}
          />
        </>
      ) : (
        <>
          <Select
            id={`${id}-test`}
            label={t('mailfilters.testNumber', { number })}
            hideLabel
            value={test}
            onValue={(next) => onChange({ test: tests.find((one) => one === next) ?? 'contains' })}
            options={tests.map((one) => ({ value: one, label: t(testLabels[one]) }))}
          />
          <TextField
            id={`${id}-value`}
            name={`${id}-value`}
            label={t('mailfilters.valueNumber', { number })}
            hideLabel
            required
            exact
            maxLength={filterLimits.value}
            value={value}
            onValue={(next) => onChange({ value: next })}
          />
        </>
      )}
      <Button
        variant="quiet"
        size="small"
        icon={IconX}
        label={t('mailfilters.removeCondition', { number })}
        onPress={onRemove}
      />
    </div>
  )
}
