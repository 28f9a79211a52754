import type { PasskeyRequest } from '@gatehouse/contract/sessions/proofs'
import { expect, test } from 'vitest'
import { offeredMeans } from './offered-means.ts'

const passkey: PasskeyRequest = {
  challenge: 'name',
  options: {
    challenge: 'bytes',
    timeout: 300_000,
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
  },
}

test('the order is the one of the server', () => {
  expect(offeredMeans({ factors: ['passkey', 'totp', 'recovery'], passkey }, true)).toEqual([
    'passkey',
    'totp',
    'recovery',
  ])
})

test.each([
  ['a browser that knows none', { factors: ['passkey', 'recovery'], passkey } as const, false],
  ['a server that gave no challenge', { factors: ['passkey', 'recovery'] } as const, true],
])('passkeys are left out for %s', (_, need, withPasskeys) => {
  expect(offeredMeans(need, withPasskeys)).toEqual(['recovery'])
})

test('who has passkeys only and cannot use them here is offered nothing', () => {
  expect(offeredMeans({ factors: ['passkey'], passkey }, false)).toEqual([])
})
