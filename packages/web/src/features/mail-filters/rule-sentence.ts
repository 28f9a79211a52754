import type { TextTest } from '@gatehouse/contract/mail/filter-terms'
import type { FilterAction, FilterCondition, FilterRule } from '@gatehouse/contract/mail/mail-filters'
import type { MessageKey } from '../../i18n/areas.ts'
import { alternatives, number, wordList } from '../../i18n/format.ts'
import type { Translate } from '../../i18n/i18n.ts'

export const fieldLabels = {
  from: 'mailfilters.field.from',
  to: 'mailfilters.field.to',
  subject: 'mailfilters.field.subject',
  list: 'mailfilters.field.list',
  header: 'mailfilters.field.header',
  size: 'mailfilters.field.size',
} as const satisfies Record<FilterCondition['field'], MessageKey>

/** A field within a sentence. */
const fieldNames = {
  from: 'mailfilters.name.from',
  to: 'mailfilters.name.to',
  subject: 'mailfilters.name.subject',
  list: 'mailfilters.name.list',
} as const satisfies Record<Exclude<FilterCondition['field'], 'header' | 'size'>, MessageKey>

const testPhrases = {
  contains: 'mailfilters.says.contains',
  'not-contains': 'mailfilters.says.notContains',
  is: 'mailfilters.says.is',
  'ends-with': 'mailfilters.says.endsWith',
} as const satisfies Record<TextTest, MessageKey>

/** Stands for what isn't entered yet. */
const missing = '…'

/** Describes a rule in one sentence. */
export function ruleSentence(
  t: Translate,
  rule: Pick<FilterRule, 'match' | 'conditions' | 'actions' | 'isLast'>,
) {
  const does = rule.actions.map((action) => actionPhrase(t, action))
  const actions = wordList(rule.isLast ? [...does, t('mailfilters.does.stop')] : does)
  if (rule.conditions.length === 0) return t('mailfilters.sentenceAll', { actions })
  const phrases = rule.conditions.map((condition) => conditionPhrase(t, condition))
  const conditions = rule.match === 'any' ? alternatives(phrases) : wordList(phrases)
  return t('mailfilters.sentence', { conditions, actions })
}

function conditionPhrase(t: Translate, condition: FilterCondition): string {
  if (condition.field === 'size') {
    const size = number(condition.size)
    return t(condition.test === 'over' ? 'mailfilters.says.over' : 'mailfilters.says.under', { size })
  }
  const { test, value } = condition
  const field =
    condition.field === 'header'
      ? t('mailfilters.name.header', { header: condition.header || missing })
      : t(fieldNames[condition.field])
  return t(testPhrases[test], { field, value: value || missing })
}

function actionPhrase(t: Translate, action: FilterAction): string {
  switch (action.kind) {
    case 'file':
      return t('mailfilters.does.file', { folder: action.folder || missing })
    case 'forward': {
      const address = action.address || missing
      return t(action.keepCopy ? 'mailfilters.does.copy' : 'mailfilters.does.forward', { address })
    }
    case 'mark-read':
      return t('mailfilters.does.markRead')
    case 'flag':
      return t('mailfilters.does.flag')
    case 'discard':
      return t('mailfilters.does.discard')
    case 'reject':
      return t('mailfilters.does.reject')
  }
}
