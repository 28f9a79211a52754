import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mailReasons } from '@gatehouse/contract/mail/mail-reasons'
import { expect, test } from 'vitest'
import { actionOf, type Reason, reasons, replyOf } from './reasons.ts'

const names = Object.keys(reasons) as Reason[] // the keys of `reasons` are exactly the reasons

test('the contract lists every reason with its action and code', () => {
  const listed = names.map((reason) => [reason, { action: actionOf(reason), code: reasons[reason].code }])
  expect(mailReasons).toEqual(Object.fromEntries(listed))
})

test('no code is used twice', () => {
  const codes = names.map((reason) => reasons[reason].code)
  expect(new Set(codes).size).toBe(codes.length)
})

test('replies end with the code that the page about mail explains', () => {
  for (const reason of names) {
    const reply = replyOf(reason)
    if (reply !== undefined) expect(reply).toMatch(new RegExp(` \\[${reasons[reason].code}\\]$`))
  }
})

test('docs/MAIL.md explains every code in a table, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/MAIL.md'), 'utf8')
  const explained = [...page.matchAll(/^ *\| ([A-Z]\d+) \|/gm)].map(([, code]) => code)
  expect(new Set(explained)).toEqual(new Set(names.map((reason) => reasons[reason].code)))
  expect(explained).toHaveLength(names.length)
})
