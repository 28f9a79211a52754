import { requests } from '@gatehouse/contract/meetings/meet-signalling'
import { expect, test } from 'vitest'
import { plainName } from './plain-name.ts'

test.each([
  ['  Jane  ', 'Jane'],
  ['Jane\u202egpj.exe', 'Jane gpj.exe'],
  ['Ja\tne\r\nDoe', 'Ja ne Doe'],
  ['<b>Jane</b>', '<b>Jane</b>'],
  ['שרה', 'שרה'],
  ['👩‍💻', '👩‍💻'],
  ['\u0000\u2066', ''],
])('%j is %j', (typed, plain) => {
  expect(plainName(typed)).toBe(plain)
})

test.each([`${'a'.repeat(63)}👩`, '\ud83d', `\u202e${'ab '.repeat(40)}`, 'x'.repeat(100_000)])(
  'what is left of anything is a name that the portal takes',
  (typed) => {
    const nickname = plainName(typed) || 'nobody'
    expect(requests.changeNickname.data.safeParse({ nickname }).success).toBe(true)
  },
)
