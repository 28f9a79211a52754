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

test("keeps the server's order", () => {
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

test("offers nothing to users who only have passkeys and can't use them here", () => {
  expect(offeredMeans({ factors: ['passkey'], passkey }, false)).toEqual([])
})
