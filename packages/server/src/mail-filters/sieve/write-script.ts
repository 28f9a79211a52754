import type { FilterAction, FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import { replyPeriod } from './reply-period.ts'
import { comment, quoted, quotedList } from './sieve-text.ts'
import { allOf, ruleTest } from './write-tests.ts'

/** What a script is made of. */
export interface ScriptContent {
  readonly rules: readonly FilterRule[]
  readonly outOfOffice: OutOfOffice
  readonly people: ReplyPeople
}

/** The people whom automatic replies concern. */
export interface ReplyPeople {
  /** The user's addresses: mail that names none of them in To or Cc gets no reply. */
  readonly own: readonly string[]
  /** Addresses that get a reply if only known senders do. */
  readonly known: readonly string[]
  /** Domains and addresses of the account, for replies within it. */
  readonly organisation: { readonly domains: readonly string[]; readonly addresses: readonly string[] }
}

/** Variables of a script (RFC 5229). `dollar` writes a dollar sign; see `quoted`. */
const isTrue = (variable: Variable) => `string "\${${variable}}" "1"`
const isFalse = (variable: Variable) => `not ${isTrue(variable)}`
const setTrue = (variable: Variable) => `set "${variable}" "1";`

/** `done`: later rules are skipped. `acted`: the message was stored or sent on. `silent`: no automatic reply. */
type Variable = 'done' | 'acted' | 'silent'

/**
 * Renders a user's filters as a Sieve script (RFC 5228); undefined if they do nothing. Rules run in their order, then
 * the automatic reply (RFC 5230). A rule that ends the rules sets a variable instead of stopping, so that the reply is
 * still sent. A message can't be refused after it was stored, and a refused or deleted one gets no reply (RFC 5429
 * §2.1, RFC 5230 §4.7).
 */
export function writeScript(content: ScriptContent): string | undefined {
  const rules = content.rules.filter((rule) => rule.isEnabled)
  const replies = content.outOfOffice.isEnabled
  const hasReject = rules.some((rule) => rule.actions.some(({ kind }) => kind === 'reject'))
  const blocks = rules.map((rule, index) => {
    const guards = rules.slice(0, index).some(endsRules) ? [isFalse('done')] : []
    return writeRule(rule, { guards, hasReject, replies })
  })
  if (replies) blocks.push(writeReply(content, rules.some(isSilent)))
  if (blocks.length === 0) return undefined
  const body = blocks.join('\r\n\r\n')
  const dollar = body.includes(`\${dollar}`) ? 'set "dollar" "$";\r\n\r\n' : ''
  return `${requirement(body)}\r\n\r\n${dollar}${body}\r\n`
}

interface RuleContext {
  readonly guards: readonly string[]
  readonly hasReject: boolean
  readonly replies: boolean
}

function writeRule(rule: FilterRule, { guards, hasReject, replies }: RuleContext): string {
  const kinds = rule.actions.map(({ kind }) => kind)
  const refuses = kinds.includes('reject')
  const stores = kinds.includes('file') || kinds.includes('forward')
  const lines = [
    // flags apply to what is stored afterwards
    ...rule.actions.filter(({ kind }) => kind === 'mark-read' || kind === 'flag'),
    ...rule.actions.filter(({ kind }) => kind !== 'mark-read' && kind !== 'flag'),
  ].map(writeAction)
  if (stores && hasReject) lines.push(setTrue('acted'))
  if (isSilent(rule) && replies) lines.push(setTrue('silent'))
  if (endsRules(rule)) lines.push(setTrue('done'))
  const test = ruleTest(rule, [...guards, ...(refuses ? [isFalse('acted')] : [])]) ?? 'true'
  const body = lines.map((line) => `  ${line}`).join('\r\n')
  return `${comment(rule.name)}\r\nif ${test} {\r\n${body}\r\n}`
}

function writeAction(action: FilterAction): string {
  switch (action.kind) {
    case 'file':
      return `fileinto :create ${quoted(action.folder)};`
    case 'forward':
      return `redirect${action.keepCopy ? ' :copy' : ''} ${quoted(action.address)};`
    case 'mark-read':
      return `addflag ${quoted('\\Seen')};`
    case 'flag':
      return `addflag ${quoted('\\Flagged')};`
    case 'discard':
      return 'discard;'
    case 'reject':
      return `reject ${quoted(action.text)};`
  }
}

function endsRules(rule: FilterRule): boolean {
  return rule.isLast || isSilent(rule)
}

/** Refused and deleted messages get no reply. */
function isSilent({ actions }: FilterRule): boolean {
  return actions.some(({ kind }) => kind === 'reject' || kind === 'discard')
}

function writeReply({ outOfOffice, people }: ScriptContent, hasSilent: boolean): string {
  const { days, subject, text } = outOfOffice
  const { start, end } = replyPeriod(outOfOffice)
  const tests = [
    ...(hasSilent ? [isFalse('silent')] : []),
    ...(start === null ? [] : [dateTest('ge', start)]),
    ...(end === null ? [] : [dateTest('lt', end)]),
    ...audienceTests(outOfOffice, people),
  ]
  const own = [...new Set([...people.own, ...outOfOffice.addresses])]
  const parts = [
    `vacation :days ${days}`,
    ...(subject === null ? [] : [`:subject ${quoted(subject)}`]),
    ...(own.length === 0 ? [] : [`:addresses ${quotedList(own)}`]),
    `${quoted(text ?? '')};`,
  ]
  const test = allOf(tests)
  const reply = parts.join(' ')
  return test === undefined ? reply : `if ${test} {\r\n  ${reply}\r\n}`
}

/** Compares as text: both are UTC and have the same form up to the seconds (RFC 5260 §4.1). */
function dateTest(relation: 'ge' | 'lt', moment: Date): string {
  const text = moment.toISOString().slice(0, 19)
  return `currentdate :zone "+0000" :value "${relation}" "iso8601" ${quoted(text)}`
}

function audienceTests({ audience }: OutOfOffice, { known, organisation }: ReplyPeople): string[] {
  if (audience === 'everyone') return []
  if (audience === 'known') return [anyOf(addressTests('all', known))]
  const { domains, addresses } = organisation
  return [anyOf([...addressTests('domain', domains), ...addressTests('all', addresses)])]
}

function addressTests(part: 'all' | 'domain', values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`address :${part} :is "from" ${quotedList(values)}`]
}

function anyOf(tests: readonly string[]): string {
  return tests.length > 1 ? `anyof(${tests.join(', ')})` : (tests[0] ?? 'false')
}

/** What a script needs beyond the base language, by the commands that it contains outside of strings. */
const extensions: readonly (readonly [needed: RegExp, name: string])[] = [
  [/\bfileinto /, 'fileinto'],
  [/\bfileinto :create /, 'mailbox'],
  [/\bredirect :copy /, 'copy'],
  [/\baddflag /, 'imap4flags'],
  [/\breject /, 'reject'],
  [/\bvacation /, 'vacation'],
  [/\bset /, 'variables'],
  [/\bcurrentdate /, 'date'],
  [/:value /, 'relational'],
]

function requirement(body: string): string {
  const commands = body.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""').replaceAll(/^#.*$/gm, '')
  const isDollarSet = body.includes(`\${dollar}`)
  const names = extensions
    .filter(([needed, name]) => needed.test(commands) || (name === 'variables' && isDollarSet))
    .map(([, name]) => name)
  return names.length === 0 ? '# Gatehouse' : `# Gatehouse\r\nrequire ${quotedList(names)};`
}
