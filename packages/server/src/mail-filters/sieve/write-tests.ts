import type { TextTest } from '@gatehouse/contract/mail/filter-terms'
import type { FilterCondition, FilterRule } from '@gatehouse/contract/mail/mail-filters'
import { literalPattern, quoted, quotedList } from './sieve-text.ts'

/** Header fields of a condition. */
const headers = { from: ['from'], to: ['to', 'cc'], subject: ['subject'] } as const

/** Renders the condition of a rule; undefined if it applies to all mail. `guards` are required in addition. */
export function ruleTest(rule: FilterRule, guards: readonly string[]): string | undefined {
  const tests = rule.conditions.map(conditionTest)
  const own = rule.match === 'any' && tests.length > 1 ? [`anyof(${tests.join(', ')})`] : tests
  return allOf([...guards, ...own])
}

/** Joins tests that must all be true; undefined if there are none. */
export function allOf(tests: readonly string[]): string | undefined {
  return tests.length > 1 ? `allof(${tests.join(', ')})` : tests[0]
}

function conditionTest(condition: FilterCondition): string {
  switch (condition.field) {
    case 'size':
      return `size :${condition.test} ${condition.size}K`
    case 'header':
      return textTest('header', [condition.header], condition.test, condition.value)
    case 'list':
      return listTest(condition.test, condition.value)
    case 'subject':
      return textTest('header', headers.subject, condition.test, condition.value)
    case 'from':
    case 'to':
      return personTest(headers[condition.field], condition.test, condition.value)
  }
}

/** Words may be in the name or the address; only the address can be or end with a text. */
function personTest(fields: readonly string[], test: TextTest, value: string): string {
  const isAnywhere = test === 'contains' || test === 'not-contains'
  return textTest(isAnywhere ? 'header' : 'address', fields, test, value)
}

/** The field has a name before the identifier in angle brackets (RFC 2919). */
function listTest(test: TextTest, value: string): string {
  if (test === 'is') return textTest('header', ['list-id'], 'contains', `<${value.replaceAll(/^<|>$/g, '')}>`)
  if (test === 'ends-with') return textTest('header', ['list-id'], 'contains', `${value.replace(/>$/, '')}>`)
  return textTest('header', ['list-id'], test, value)
}

function textTest(
  command: 'header' | 'address',
  fields: readonly string[],
  test: TextTest,
  value: string,
): string {
  const names = quotedList(fields)
  switch (test) {
    case 'contains':
      return `${command} :contains ${names} ${quoted(value)}`
    case 'not-contains':
      return `not ${command} :contains ${names} ${quoted(value)}`
    case 'is':
      return `${command} :is ${names} ${quoted(value)}`
    case 'ends-with':
      return `${command} :matches ${names} ${quoted(`*${literalPattern(value)}`)}`
  }
}
