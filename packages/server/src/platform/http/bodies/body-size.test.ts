import { expect, test } from 'vitest'
import { BadRequest, PayloadTooLarge } from '../errors.ts'
import { checkFormSize, checkJsonSize, checkPartCount } from './body-size.ts'

const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0])))

test('accepts a thousand keys and rejects one more', () => {
  checkJsonSize(keys(1000))
  expect(() => checkJsonSize(keys(1001))).toThrow(PayloadTooLarge)
})

test('accepts ten thousand list members and rejects thirty thousand', () => {
  checkJsonSize(JSON.stringify({ members: Array.from({ length: 10_000 }, (_, at) => `m${at}@a.test`) }))
  expect(() => checkJsonSize(JSON.stringify({ members: Array.from({ length: 30_000 }, () => 1) }))).toThrow(
    PayloadTooLarge,
  )
  expect(() => checkJsonSize(`{"a":[${'[]'.repeat(30_000)}`)).toThrow(PayloadTooLarge)
})

test('rejects nesting that a parser would recurse into', () => {
  checkJsonSize(`${'['.repeat(64)}${']'.repeat(64)}`)
  expect(() => checkJsonSize('['.repeat(65))).toThrow(BadRequest)
  expect(() => checkJsonSize('{"a":'.repeat(65))).toThrow(BadRequest)
})

test('ignores the content of strings', () => {
  checkJsonSize(JSON.stringify({ text: '{[:,"\\'.repeat(30_000), 'key "\\': ':,'.repeat(30_000) }))
})

test('counts what follows a string that ends with a backslash', () => {
  const pair = String.raw`"\\":0,`
  expect(() => checkJsonSize(`{${pair.repeat(1001)}`)).toThrow(PayloadTooLarge)
})

test.each(['{"a', '"', '\\"', ']]]]', '{"a":1}}}}'])('leaves broken JSON to the parser: %s', (text) => {
  checkJsonSize(text)
})

test('accepts a thousand form fields and rejects more', () => {
  checkFormSize('a=1&'.repeat(1000))
  expect(() => checkFormSize('&'.repeat(1001))).toThrow(PayloadTooLarge)
})

test('rejects a form with thousands of parts', () => {
  const part = '--x\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n'
  checkPartCount(Buffer.from(`${part.repeat(90)}--x--`), 'x')
  expect(() => checkPartCount(Buffer.from(part.repeat(1000)), 'x')).toThrow(PayloadTooLarge)
})

test('scans a megabyte of brackets and quotes without blocking the server', () => {
  for (const text of [
    `{"a":"${'\\"'.repeat(500_000)}"}`,
    `{"a":"${'\\'.repeat(1_000_000)}"}`,
    '"'.repeat(1_000_000),
  ]) {
    const before = process.cpuUsage()
    checkJsonSize(text)
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  }
})
