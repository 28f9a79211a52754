import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../decision.ts'
import { policyAnswer, readPolicyFields, readPolicyForm } from './policy-request.ts'

describe('a policy call', () => {
  test.each([
    ['sender=a%40x.test&recipients=b%40y.test&recipients=c%40y.test'],
    ['sender=a%40x.test&recipients[]=b%40y.test&recipients%5B%5D=c%40y.test'],
  ])('as the form %s has all of its recipients', (form) => {
    expect(readPolicyForm(form)).toEqual({
      sender: 'a@x.test',
      user: '',
      recipients: ['b@y.test', 'c@y.test'],
    })
  })

  test.each([
    [{ sender: 'a@x.test', recipients: ['b@y.test'] }, ['b@y.test']],
    [{ sender: 'a@x.test', recipients: 'b@y.test', user: 'jane' }, ['b@y.test']],
    [{ sender: 'a@x.test' }, []],
  ])('as JSON %j has its recipients', (sent, recipients) => {
    expect(readPolicyFields(sent)?.recipients).toEqual(recipients)
  })

  test.each([
    null,
    [],
    'a',
    {},
    { sender: 1 },
    { sender: 'a', recipients: [1] },
    { sender: 'a', recipients: {} },
  ])('that is %j cannot be read', (sent) => {
    expect(readPolicyFields(sent)).toBeUndefined()
  })

  test('of any bytes is read or refused', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readPolicyForm(text)))
    fc.assert(fc.property(fc.jsonValue(), (value) => void readPolicyFields(value)))
  })
})

describe('the answer', () => {
  test.each([
    ['rate.within-limits', 200, 'DUNNO'],
    ['rate.near-limit', 200, 'DUNNO'],
    ['rate.slowed', 200, 'DUNNO'],
    ['rate.messages-per-hour', 403, 'HOLD'],
    ['rate.suspended', 403, 'HOLD'],
    ['submission.not-allowed', 403, 'REJECT'],
    ['greylist.first-contact', 403, 'DEFER_IF_PERMIT'],
  ] as const)('for %s is %i %s', (reason, status, response) => {
    const answer = policyAnswer(decide(reason))
    expect([answer.status, answer.body.response]).toEqual([status, response])
  })

  test('has the text and the fields of the decision', () => {
    expect(policyAnswer(decide('rate.messages-per-hour')).body.reason).toBe(
      '450 4.7.1 Hourly limit of messages reached, held for review [R5]',
    )
    expect(policyAnswer(decide('sender.verified', {}, ['X: y'])).body).toEqual({
      response: 'DUNNO',
      prepend: ['X: y'],
    })
  })

  test('for a call that could not be decided is to try again', () => {
    expect(policyAnswer(undefined)).toMatchObject({ status: 403, body: { response: 'DEFER_IF_PERMIT' } })
  })
})
