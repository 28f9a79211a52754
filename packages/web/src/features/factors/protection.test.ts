import { expect, test } from 'vitest'
import { nextStep, protectionOf } from './protection.ts'

const date = '2026-11-01 08:00:00'
const id = '0192d3a0-0000-7000-8000-000000000000'
const app = { id, label: 'Phone', created_at: date, last_used_at: null }
const key = { id, name: 'Laptop', created_at: date, last_used_at: null, isBackedUp: true }
const codes = (left: number) => ({ left, created_at: left > 0 ? date : null })
const nothing = { totp: [], passkeys: [], companions: 0, recovery: codes(0) }

test.each([
  ['nobody has set up anything', nothing, 'first', 'weak'],
  ['recovery codes alone protect nothing', { ...nothing, recovery: codes(10) }, 'first', 'weak'],
  ['a factor without a way back', { ...nothing, totp: [app] }, 'codes', 'fair'],
  ['a single factor may be lost', { ...nothing, passkeys: [key], recovery: codes(10) }, 'spare', 'good'],
  ['a paired device alone has no way back', { ...nothing, companions: 1 }, 'beside', 'fair'],
  [
    'a paired device beside an app',
    { ...nothing, totp: [app], companions: 1, recovery: codes(9) },
    'done',
    'good',
  ],
  ['few codes', { ...nothing, totp: [app], passkeys: [key], recovery: codes(3) }, 'fewCodes', 'good'],
  ['two factors and codes', { ...nothing, totp: [app], passkeys: [key], recovery: codes(4) }, 'done', 'good'],
] as const)('%s', (_, overview, step, protection) => {
  const counts = { ...overview, totp: [...overview.totp], passkeys: [...overview.passkeys] }
  expect([nextStep(counts), protectionOf(counts)]).toEqual([step, protection])
})
