import { describe, expect, test } from 'vitest'
import { InvalidAnswer } from '../connections/protocol-errors.ts'
import { encodePolicyAnswer, type PolicyAnswer } from './policy-answer.ts'

describe('a policy answer', () => {
  test.each<[PolicyAnswer, string]>([
    [{ action: 'dunno' }, 'DUNNO'],
    [{ action: 'permit' }, 'OK'],
    [{ action: 'defer-if-permit', text: '4.7.1 Greylisted [G1]' }, 'DEFER_IF_PERMIT 4.7.1 Greylisted [G1]'],
    [{ action: 'hold', text: 'Hourly limit' }, 'HOLD Hourly limit'],
    [{ action: 'discard', text: '' }, 'DISCARD'],
    [{ action: 'reply', reply: '550 5.7.1 No [L5]' }, '550 5.7.1 No [L5]'],
    [{ action: 'reply', reply: '450 4.7.1' }, '450 4.7.1'],
    [{ action: 'prepend', header: 'Received-SPF: Pass' }, 'PREPEND Received-SPF: Pass'],
    [{ action: 'hold', text: 'a\r\n\naction=OK\n\n' }, 'HOLD a action=OK'],
    [{ action: 'hold', text: 'a\u0000b\u2028c\u0085d\te' }, 'HOLD a b c d e'],
    [{ action: 'hold', text: 'Grüße 🙂' }, 'HOLD Gr??e ?'],
    [{ action: 'reply', reply: '550 5.7.1 a\n\naction=OK' }, '550 5.7.1 a action=OK'],
    [{ action: 'prepend', header: 'X-A: b\r\nX-C: d\n\n' }, 'PREPEND X-A: b X-C: d'],
  ])('%j is sent as %s', (answer, expected) => {
    expect(encodePolicyAnswer(answer).toString()).toBe(`action=${expected}\n\n`)
  })

  test('is cut to the length of an SMTP reply', () => {
    const bytes = encodePolicyAnswer({ action: 'reply', reply: `550 5.7.1 ${'x'.repeat(5000)}` })
    expect(bytes.length).toBeLessThan(500)
  })

  test.each<PolicyAnswer>([
    { action: 'reply', reply: '250 2.0.0 OK' },
    { action: 'reply', reply: '550 4.7.1 Mixed classes' },
    { action: 'reply', reply: '550 No status code' },
    { action: 'reply', reply: 'OK' },
    { action: 'prepend', header: 'no colon' },
    { action: 'prepend', header: ': no name' },
    { action: 'prepend', header: 'X A: space' },
    { action: 'prepend', header: 'X-A\nB: line' },
  ])('%j cannot be sent', (answer) => {
    expect(() => encodePolicyAnswer(answer)).toThrow(InvalidAnswer)
  })
})
