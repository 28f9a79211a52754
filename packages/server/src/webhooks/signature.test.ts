import { expect, test } from 'vitest'
import { newWebhookSecret, signatureHeaders } from './signature.ts'

const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }

// test vector of the reference libraries of Standard Webhooks
test('a message has the headers of Standard Webhooks', () => {
  expect(signatureHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a message is signed with each valid secret', () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()]
  expect(current).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const both = signatureHeaders(message, [current, previous])['webhook-signature']
  const each = [current, previous].map((secret) => signatureHeaders(message, [secret])['webhook-signature'])
  expect(both).toBe(each.join(' '))
})
