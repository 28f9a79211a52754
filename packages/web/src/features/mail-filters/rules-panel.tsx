import { filterLimits } from '@gatehouse/contract/mail/filter-terms'
import type { FilterRule } from '@gatehouse/contract/mail/mail-filters'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { FieldNotes } from '../../ui/fields/field.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { moved } from './rule-draft.ts'
import { ruleSentence } from './rule-sentence.ts'
import type { FilterValues } from './use-filter-form.ts'

export interface RulesPanelProps {
  form: Form<FilterValues>
  /** Opens the editor of a rule, by index; -1: of a new one. */
  onEdit: (index: number) => void
}

/** The rules in their order, each as a sentence. */
export function RulesPanel({ form, onEdit }: RulesPanelProps) {
  const t = useT()
  const { rules } = form.values
  const error = form.errors.rules
  const set = (next: readonly FilterRule[]) => form.set('rules', [...next])
  const add = (
    <Button icon={IconPlus} disabled={rules.length >= filterLimits.rules} onPress={() => onEdit(-1)}>
      {t('mailfilters.newRule')}
    </Button>
  )
  return (
    <Panel flush title={t('mailfilters.rules')} actions={rules.length > 0 && add}>
      <input type="hidden" name="rules" />
      <div role="alert" className="filter-error">
        <FieldNotes id="mail-filters-rules" error={error?.text} />
      </div>
      {rules.length === 0 && (
        <EmptyState title={t('mailfilters.noRules')} action={add}>
          {t('mailfilters.noRulesText')}
        </EmptyState>
      )}
      <ol className="filter-rules">
        {rules.map((rule, index) => (
          <li key={keyOf(rules, index)}>
            <Checkbox
              id={`mail-filters-rule-${index}`}
              checked={rule.isEnabled}
              onChecked={(isEnabled) => set(rules.with(index, { ...rule, isEnabled }))}
              label={<b>{rule.name}</b>}
              hint={ruleSentence(t, rule)}
              {...(error?.items?.[index] && { error: error.items[index] })}
            />
            <RuleActions
              name={rule.name}
              isFirst={index === 0}
              isLast={index === rules.length - 1}
              onMove={(by) => set(moved(rules, index, by))}
              onEdit={() => onEdit(index)}
              onRemove={() => set(rules.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Rules have no id, and names may repeat. */
function keyOf(rules: readonly FilterRule[], index: number): string {
  const name = rules[index]?.name ?? ''
  return `${name} ${rules.slice(0, index).filter((rule) => rule.name === name).length}`
}

interface RuleActionsProps {
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onEdit: () => void
  onRemove: () => void
}

function RuleActions({ name, isFirst, isLast, onMove, onEdit, onRemove }: RuleActionsProps) {
  const t = useT()
  const look = { variant: 'quiet', size: 'small' } as const
  return (
    <span className="row filter-actions">
      <Button
        {...look}
        icon={IconArrowUp}
        label={t('mailfilters.moveUp', { name })}
        disabled={isFirst}
        onPress={() => onMove(-1)}
      />
      <Button
        {...look}
        icon={IconArrowDown}
        label={t('mailfilters.moveDown', { name })}
        disabled={isLast}
        onPress={() => onMove(1)}
      />
      <Button {...look} icon={IconPencil} label={t('mailfilters.edit', { name })} onPress={onEdit} />
      <Button {...look} icon={IconTrash} label={t('mailfilters.remove', { name })} onPress={onRemove} />
    </span>
  )
}
