import { maxFileName } from '@gatehouse/contract/files/file-items'
import { expect, test } from 'vitest'
import { allowedName, longestName, nameFault, shownName, splitName } from './names.ts'

test('the maximum name length matches the contract', () => {
  expect(longestName).toBe(maxFileName)
})

test.each([
  ['report.pdf', undefined],
  ['<img src=x onerror=alert(1)>', undefined],
  ['\u202egpj.exe', 'signs'],
  ['u\u0308', undefined],
  [' padded ', undefined],
  ['\ud83d', 'signs'],
  ['.', 'signs'],
  ['..', 'signs'],
  ['Ü'.repeat(256), undefined],
  ['Ü'.repeat(257), 'long'],
  ['', 'empty'],
  ['  ', 'empty'],
  ['a/b', 'signs'],
  ['a*b', 'signs'],
  ['a"b', 'signs'],
  ['a\u0000b', 'signs'],
  ['a\u007fb', 'signs'],
  ['a\nb', 'signs'],
] as const)('%j has the fault %s', (name, fault) => {
  expect(nameFault(name)).toBe(fault)
})

test.each([
  ['a*b".txt ', 'a_b_.txt'],
  ['*', '_'],
  ['..', '_'],
  ['\u202egpj.exe', '_gpj.exe'],
  ['', '_'],
  ['\u{1f600}'.repeat(200).concat('.jpeg'), `${'\u{1f600}'.repeat(126)}.jpeg`],
])('the nearest allowed name of %j has no fault', (name, allowed) => {
  expect(allowedName(name)).toBe(allowed)
  expect(nameFault(allowedName(name))).toBeUndefined()
})

test.each([
  ['a.tar.gz', 'a.tar', '.gz'],
  ['.profile', '.profile', ''],
  ['noending', 'noending', ''],
  ['1. a sentence that goes on', '1. a sentence that goes on', ''],
])('%s is %s and %s', (name, stem, ending) => {
  expect(splitName(name)).toEqual({ stem, ending })
})

test('makes bidi and line control characters visible', () => {
  expect(shownName('a\u202etxt.exe')).toBe('a\ufffdtxt.exe')
  expect(shownName('a\nb\u0007.txt')).toBe('a\ufffdb\ufffd.txt')
  expect(shownName('Zürich אבג.txt')).toBe('Zürich אבג.txt')
})
