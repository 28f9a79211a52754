import { filterLimits } from '@gatehouse/contract/mail/filter-terms'
import type { FilterAction, FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import { type Message, message } from '../platform/http/errors.ts'
import type { Checked } from '../platform/http/validation.ts'
import { parseEmailAddress } from '../users/addresses/email-address.ts'
import { isTimeZone } from './sieve/reply-period.ts'
import { type ReplyPeople, writeScript } from './sieve/write-script.ts'

export interface FilterContent {
  readonly rules: readonly FilterRule[]
  readonly outOfOffice: OutOfOffice
}

/** Validates what the schema can't express, and returns the filters with canonical addresses. */
export function checkFilters(sent: FilterContent, people: ReplyPeople): Checked<FilterContent> {
  const rules = sent.rules.map(withCanonicalAddresses)
  const outOfOffice = {
    ...sent.outOfOffice,
    addresses: sent.outOfOffice.addresses.map((address) => canonical(address) ?? address),
  }
  const wrongRules = new Map(
    rules.flatMap((rule, index) => {
      const wrong = ruleProblem(rule, people.own)
      return wrong === undefined ? [] : [[index, wrong] as const]
    }),
  )
  const wrongReply = replyProblems(outOfOffice)
  const errors = {
    ...(wrongRules.size > 0 && { rules: wrongRules }),
    ...(wrongReply.size > 0 && { outOfOffice: wrongReply }),
  }
  if (Object.keys(errors).length > 0) return { errors }
  const problem = wholeProblem({ rules, outOfOffice }, people)
  return problem === undefined ? { value: { rules, outOfOffice } } : { errors: { rules: problem } }
}

/** Returns the addresses that filters forward to, each once. */
export function forwardsOf(rules: readonly FilterRule[]): string[] {
  const actions = rules.filter(({ isEnabled }) => isEnabled).flatMap((rule) => rule.actions)
  return [...new Set(actions.flatMap((action) => (action.kind === 'forward' ? [action.address] : [])))]
}

function withCanonicalAddresses(rule: FilterRule): FilterRule {
  const actions = rule.actions.map(
    (action): FilterAction =>
      action.kind === 'forward'
        ? { ...action, address: canonical(action.address) ?? action.address }
        : action,
  )
  return { ...rule, actions }
}

function canonical(address: string): string | undefined {
  return parseEmailAddress(address)?.full
}

function ruleProblem({ actions }: FilterRule, own: readonly string[]): Message | undefined {
  const kinds = actions.map(({ kind }) => kind)
  const isRepeated = kinds.some((kind, index) => kind !== 'forward' && kinds.indexOf(kind) !== index)
  if (isRepeated) return message('mail-filters.action-twice')
  if (actions.length > 1 && (kinds.includes('discard') || kinds.includes('reject'))) {
    return message('mail-filters.action-alone')
  }
  for (const action of actions) {
    if (action.kind === 'file' && !isFolder(action.folder)) return message('mail-filters.folder-invalid')
    if (action.kind !== 'forward') continue
    const address = canonical(action.address)
    if (address === undefined) return message('mail-filters.forward-invalid')
    if (own.includes(address)) return message('mail-filters.forward-to-self')
  }
  return undefined
}

/** The characters that Cyrus refuses in names, and the wildcards of IMAP. Mail would stay in the inbox. */
function isFolder(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part === part.trim() && !/["%*;<>\\^`{|}]/.test(part))
}

function replyProblems(reply: OutOfOffice): Map<string, Message> {
  const wrong = new Map<string, Message>()
  if (reply.isEnabled && reply.text === null) wrong.set('text', message('mail-filters.text-required'))
  if (!isTimeZone(reply.timeZone)) wrong.set('timeZone', message('mail-filters.time-zone-unknown'))
  if (reply.from !== null && reply.until !== null && reply.until < reply.from) {
    wrong.set('until', message('mail-filters.until-before-from'))
  }
  if (reply.addresses.some((address) => canonical(address) === undefined)) {
    wrong.set('addresses', message('mail-filters.address-invalid'))
  }
  return wrong
}

/** Servers limit the number of redirects and the size of a script. */
function wholeProblem(content: FilterContent, people: ReplyPeople): Message | undefined {
  if (forwardsOf(content.rules).length > filterLimits.forwards) {
    return message('mail-filters.too-many-forwards', { limit: filterLimits.forwards })
  }
  const script = writeScript({ ...content, people }) ?? ''
  return Buffer.byteLength(script) > filterLimits.script ? message('mail-filters.too-large') : undefined
}
