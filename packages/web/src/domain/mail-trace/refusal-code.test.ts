import { expect, test } from 'vitest'
import { reasonIn } from './refusal-code.ts'

test.each([
  ['L5', 'list.not-allowed'],
  [' g10 ', 'greylist.let-through'],
  ['[S3]', 'sender.spf-failed'],
  ['550 5.7.1 You are not allowed to send to this distribution list [L5]', 'list.not-allowed'],
  [
    'host mx.acme.test[192.0.2.1] said: 450 4.7.1 Greylisted, please try again in a few minutes [G1] (in reply to RCPT TO command)',
    'greylist.first-contact',
  ],
  ['[X99] then [R5]', 'rate.messages-per-hour'],
  ['L99', undefined],
  ['550 5.7.1 Access denied', undefined],
  ['', undefined],
])('%j is explained as %s', (text, reason) => {
  expect(reasonIn(text)).toBe(reason)
})
