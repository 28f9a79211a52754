import type { FilterAction, FilterCondition, FilterRule } from '@gatehouse/contract/mail/mail-filters'
import { describe, expect, test } from 'vitest'
import { noReply, testPeople, testReply, testRule } from './filter.test-data.ts'
import { writeScript } from './write-script.ts'

function scriptOf(rules: readonly FilterRule[], outOfOffice = noReply): string {
  return (writeScript({ rules, outOfOffice, people: testPeople }) ?? '').replaceAll('\r\n', '\n')
}

const conditions: readonly (readonly [FilterCondition, string])[] = [
  [{ field: 'from', test: 'contains', value: 'Anna' }, 'header :contains "from" "Anna"'],
  [{ field: 'from', test: 'is', value: 'anna@a.test' }, 'address :is "from" "anna@a.test"'],
  [{ field: 'from', test: 'ends-with', value: '@a.test' }, 'address :matches "from" "*@a.test"'],
  [{ field: 'to', test: 'is', value: 'team@a.test' }, 'address :is ["to", "cc"] "team@a.test"'],
  [{ field: 'subject', test: 'not-contains', value: 'x' }, 'not header :contains "subject" "x"'],
  [
    { field: 'subject', test: 'ends-with', value: 'a*b?c\\' },
    'header :matches "subject" "*a\\\\*b\\\\?c\\\\\\\\"',
  ],
  [{ field: 'list', test: 'is', value: 'dev.a.test' }, 'header :contains "list-id" "<dev.a.test>"'],
  [{ field: 'list', test: 'is', value: '<dev.a.test>' }, 'header :contains "list-id" "<dev.a.test>"'],
  [{ field: 'list', test: 'ends-with', value: '.a.test' }, 'header :contains "list-id" ".a.test>"'],
  [{ field: 'header', header: 'X-Spam', test: 'is', value: 'Yes' }, 'header :is "X-Spam" "Yes"'],
  [{ field: 'size', test: 'over', size: 2048 }, 'size :over 2048K'],
]

const actions: readonly (readonly [FilterAction, string])[] = [
  [{ kind: 'file', folder: 'Löhne/2026' }, 'fileinto :create "Löhne/2026";'],
  [{ kind: 'forward', address: 'a@b.test', keepCopy: true }, 'redirect :copy "a@b.test";'],
  [{ kind: 'forward', address: 'a@b.test', keepCopy: false }, 'redirect "a@b.test";'],
  [{ kind: 'mark-read' }, 'addflag "\\\\Seen";'],
  [{ kind: 'flag' }, 'addflag "\\\\Flagged";'],
  [{ kind: 'discard' }, 'discard;'],
  [{ kind: 'reject', text: 'No "spam"\nplease' }, 'reject "No \\"spam\\"\nplease";'],
]

describe('a script', () => {
  test('does not exist without rules and reply, or with disabled ones', () => {
    const content = { outOfOffice: noReply, people: testPeople }
    expect(writeScript({ ...content, rules: [] })).toBeUndefined()
    expect(writeScript({ ...content, rules: [testRule({ isEnabled: false })] })).toBeUndefined()
  })

  test('names the extensions that it uses, and no other', () => {
    const rule = testRule({ name: 'vacation "x', actions: [{ kind: 'file', folder: 'reject ' }] })
    expect(scriptOf([rule])).toContain('require ["fileinto", "mailbox"];')
    expect(scriptOf([testRule({ actions: [{ kind: 'discard' }] })])).toContain('require "variables";')
  })

  test.each(conditions)('tests %o', (condition, expected) => {
    expect(scriptOf([testRule({ conditions: [condition] })])).toContain(`\nif ${expected} {\n`)
  })

  test.each(actions)('does %o', (action, expected) => {
    expect(scriptOf([testRule({ actions: [action] })])).toContain(`\n  ${expected}\n`)
  })

  test('combines conditions', () => {
    const two: FilterCondition[] = [
      { field: 'from', test: 'contains', value: 'a' },
      { field: 'size', test: 'under', size: 5 },
    ]
    const [all, any] = (['all', 'any'] as const).map((match) =>
      scriptOf([testRule({ match, conditions: two })]),
    )
    expect(all).toContain('if allof(header :contains "from" "a", size :under 5K) {')
    expect(any).toContain('if anyof(header :contains "from" "a", size :under 5K) {')
    expect(scriptOf([testRule({ conditions: [] })])).toContain('if true {')
  })

  test('sets flags before it stores a message', () => {
    const script = scriptOf([testRule({ actions: [{ kind: 'file', folder: 'A' }, { kind: 'mark-read' }] })])
    expect(script.indexOf('addflag')).toBeLessThan(script.indexOf('fileinto :create'))
  })

  test('skips later rules after the last one that applies', () => {
    const script = scriptOf([testRule({ isLast: true }), testRule(), testRule()])
    expect(script.match(/set "done" "1";/g)).toHaveLength(1)
    expect(script.match(/allof\(not string :is "\$\{done\}" "1", header/g)).toBeNull()
    expect(script.match(/allof\(not string "\$\{done\}" "1", header/g)).toHaveLength(2)
  })

  test('never refuses a message that it has stored', () => {
    const script = scriptOf([testRule(), testRule({ actions: [{ kind: 'reject', text: 'no' }] })])
    expect(script).toContain('set "acted" "1";')
    expect(script).toContain(`not string "\${acted}" "1"`)
  })
})

describe('an automatic reply', () => {
  test('names the addresses of the user and the days between replies', () => {
    const script = scriptOf([], testReply({ subject: 'Away', addresses: ['me@old.test'] }))
    expect(script).toContain(
      '\nvacation :days 7 :subject "Away" :addresses ["jane@acme.test", "j@acme.test", "me@old.test"] "I am away.";\n',
    )
  })

  test('is limited to days in the time zone of the user, across a clock change', () => {
    const script = scriptOf([], testReply({ from: '2026-03-28', until: '2026-03-29' }))
    expect(script).toContain(':value "ge" "iso8601" "2026-03-27T23:00:00"')
    expect(script).toContain(':value "lt" "iso8601" "2026-03-29T22:00:00"')
    expect(script).toContain('require ["vacation", "date", "relational"];')
  })

  test.each([
    ['known', 'if address :all :is "from" "bob@other.test" {'],
    ['organisation', 'if address :domain :is "from" "acme.test" {'],
  ] as const)('is limited to %s senders', (audience, expected) => {
    expect(scriptOf([], testReply({ audience }))).toContain(expected)
  })

  test('is sent to nobody if nobody is known', () => {
    const people = { ...testPeople, known: [] }
    const outOfOffice = testReply({ audience: 'known' })
    expect(writeScript({ rules: [], outOfOffice, people })).toContain('if false {')
  })

  test('is not sent for refused and deleted messages, but after a last rule', () => {
    const script = scriptOf(
      [testRule({ actions: [{ kind: 'discard' }] }), testRule({ isLast: true })],
      testReply(),
    )
    expect(script).toContain(`if not string "\${silent}" "1" {\n  vacation`)
    expect(script).not.toContain('stop;')
  })
})

/** The parts of a script: its strings as the mail server reads them, and everything else. */
function parse(script: string): { strings: string[]; rest: string } {
  const strings: string[] = []
  const rest = script.replaceAll(/^#[^\r\n]*|"((?:[^"\\]|\\.)*)"/gms, (whole, inner?: string) => {
    if (inner === undefined) return whole.startsWith('#') ? '#' : '""'
    const text = inner.replaceAll(/\\(.)/gs, '$1')
    strings.push(
      text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => (name === 'dollar' ? '$' : `<${name}>`)),
    )
    return '""'
  })
  return { strings, rest }
}

const hostile = [
  '"',
  '\\',
  '\n',
  '\r\n',
  ';',
  '}',
  `\${done}`,
  '${',
  '{',
  '#',
  '/*',
  '\u2028',
  '\0',
  '\ud800',
  'ä',
  '.',
]

/** A generator of numbers below `limit`, the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % limit
  }
}

describe('values', () => {
  test('stay within their strings, whatever they contain', () => {
    const next = numbers(21)
    const value = () =>
      Array.from({ length: 1 + next(6) }, () => hostile[next(hostile.length)] ?? '').join('a')
    const build = (text: () => string) =>
      writeScript({
        rules: [
          testRule({
            name: text(),
            conditions: [{ field: 'subject', test: 'is', value: text() }],
            actions: [{ kind: 'file', folder: text() }],
          }),
          testRule({ name: text(), actions: [{ kind: 'reject', text: text() }] }),
        ],
        outOfOffice: testReply({ text: text(), subject: text() }),
        people: testPeople,
      }) ?? ''
    const structure = parse(build(() => 'plain')).rest
    for (let round = 0; round < 2000; round++) {
      const sent: string[] = []
      const script = build(() => {
        const text = value()
        sent.push(text)
        return text
      })
      const { strings, rest } = parse(script.replace('set "dollar" "$";\r\n\r\n', ''))
      expect(rest).toBe(structure)
      // the comments are sent[0] and sent[3]
      for (const text of [sent[1], sent[2], sent[4], sent[5], sent[6]]) {
        expect(strings).toContain(asStored(text ?? ''))
      }
    }
  })
})

/** What remains of a value: mail has no other control characters and line ends. */
function asStored(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/\r\n|\n|\u2028/g, '\r\n')
    .replaceAll(/\p{Cs}/gu, '\ufffd')
}
