import { describe, expect, test } from 'vitest'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import { allStages, negotiate, type Wishes } from './negotiation.ts'

/** What Postfix 3 offers: version 6, nine actions, every step and extension. */
const postfix = { version: 6, actions: 0x1ff, steps: 0x1fffff }

const nothing: Wishes = { actions: [], stages: new Set(), wantsBody: false }
const everything: Wishes = {
  actions: [
    'add-headers',
    'replace-body',
    'add-recipients',
    'delete-recipients',
    'change-headers',
    'quarantine',
  ],
  stages: new Set(allStages),
  wantsBody: true,
}

describe('the negotiation', () => {
  test.each([
    // length, O, version, actions, steps
    ['nothing', postfix, nothing, '0000000d4f' + '00000006' + '00000000' + '0014f390'],
    ['everything', postfix, everything, '0000000d4f' + '00000006' + '0000003f' + '00140580'],
    [
      'the body only',
      postfix,
      { ...nothing, wantsBody: true },
      '0000000d4f' + '00000006' + '00000000' + '0014f780',
    ],
    [
      'nothing of version 2',
      { version: 2, actions: 0x3f, steps: 0x7f },
      nothing,
      '0000000d4f' + '00000002' + '00000000' + '00000010',
    ],
    [
      'everything of a newer version',
      { ...postfix, version: 7 },
      everything,
      '0000000d4f' + '00000006' + '0000003f' + '00140580',
    ],
  ])('that wants %s asks for no more', (_what, offer, wishes, expected) => {
    expect(negotiate(offer, wishes).reply.toString('hex')).toBe(expected)
  })

  test('promises silence only where it is offered and nothing is decided', () => {
    const wishes: Wishes = { ...nothing, stages: new Set(['mail', 'data']) }
    expect([...negotiate(postfix, wishes).silent]).toEqual([
      'connect',
      'helo',
      'recipient',
      'header',
      'end-of-headers',
    ])
    expect(negotiate({ ...postfix, steps: 0 }, wishes)).toMatchObject({
      canSkip: false,
      hasLeadingSpace: false,
      silent: new Set(),
    })
  })

  test.each([
    ['an old version', { ...postfix, version: 1 }],
    ['too few actions', { ...postfix, actions: 0x0f }],
  ])('fails with %s', (_what, offer) => {
    expect(() => negotiate(offer, everything)).toThrow(ProtocolViolation)
  })
})
