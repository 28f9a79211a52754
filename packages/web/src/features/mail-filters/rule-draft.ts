import type { TextTest } from '@gatehouse/contract/mail/filter-terms'
import type {
  FilterAction,
  FilterActionKind,
  FilterCondition,
  FilterRule,
} from '@gatehouse/contract/mail/mail-filters'

/** A condition while it is edited: keeps the input of each field. */
export interface ConditionDraft {
  key: number
  field: FilterCondition['field']
  test: TextTest
  value: string
  header: string
  sizeTest: 'over' | 'under'
  size: string
}

/** An action while it is edited. */
export interface ActionDraft {
  key: number
  kind: FilterActionKind
  folder: string
  address: string
  keepCopy: boolean
  text: string
}

export interface RuleDraft {
  name: string
  match: 'all' | 'any'
  conditions: ConditionDraft[]
  actions: ActionDraft[]
  isLast: boolean
}

let lastKey = 0

export function newCondition(): ConditionDraft {
  const text = { field: 'from', test: 'contains', value: '', header: '' } as const
  return { key: ++lastKey, ...text, sizeTest: 'over', size: '1024' }
}

export function newAction(kind: FilterActionKind = 'file'): ActionDraft {
  return { key: ++lastKey, kind, folder: '', address: '', keepCopy: true, text: '' }
}

/** Returns a rule for editing; of a new one, the usual fields. */
export function draftOf(rule: FilterRule | undefined): RuleDraft {
  if (!rule)
    return { name: '', match: 'all', conditions: [newCondition()], actions: [newAction()], isLast: false }
  const { name, match, isLast } = rule
  return {
    ...{ name, match, isLast },
    conditions: rule.conditions.map((condition) => ({ ...newCondition(), ...conditionInput(condition) })),
    actions: rule.actions.map((action) => ({ ...newAction(), ...action })),
  }
}

function conditionInput(condition: FilterCondition): Partial<ConditionDraft> {
  if (condition.field !== 'size') return condition
  return { field: 'size', sizeTest: condition.test, size: String(condition.size) }
}

/** Returns the edited rule. */
export function ruleOf(draft: RuleDraft, isEnabled: boolean): FilterRule {
  const { match, isLast } = draft
  return {
    ...{ name: draft.name.trim(), isEnabled, match, isLast },
    conditions: draft.conditions.map(conditionOf),
    actions: draft.actions.map(actionOf),
  }
}

function conditionOf({ field, test, value, header, sizeTest, size }: ConditionDraft): FilterCondition {
  if (field === 'size') return { field, test: sizeTest, size: Math.round(Number(size)) }
  if (field === 'header') return { field, header: header.trim(), test, value: value.trim() }
  return { field, test, value: value.trim() }
}

function actionOf({ kind, folder, address, keepCopy, text }: ActionDraft): FilterAction {
  switch (kind) {
    case 'file':
      return { kind, folder: folder.trim() }
    case 'forward':
      return { kind, address: address.trim(), keepCopy }
    case 'reject':
      return { kind, text: text.trim() }
    case 'mark-read':
    case 'flag':
    case 'discard':
      return { kind }
  }
}

/** Moves an item of a list up or down. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const copy = [...list]
  const [item] = copy.splice(index, 1)
  return item === undefined ? copy : copy.toSpliced(index + by, 0, item)
}
