import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../main/settings/config.ts'
import { systemClock } from '../../platform/clock.ts'
import { webhookUrl } from './payment-settings.ts'
import { configuredProviders } from './providers/configured-providers.ts'

const stripe = { STRIPE_KEY: 'sk_test_hunter2', STRIPE_WEBHOOK_SECRET: 'whsec_hunter2' }
const mollie = { MOLLIE_KEY: 'test_hunter2hunter2' }

describe('an invalid setting is named in the error, but its value is not shown', () => {
  test.each([
    ['STRIPE_KEY', { STRIPE_KEY: 'pk_test_hunter2' }],
    ['STRIPE_KEY', { PAYMENT_PROVIDER: 'stripe' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_KEY: stripe.STRIPE_KEY }],
    ['STRIPE_WEBHOOK_SECRET', { ...stripe, STRIPE_WEBHOOK_SECRET: 'hunter2' }],
    ['STRIPE_API_URL', { ...stripe, STRIPE_API_URL: 'http://stripe.example.test' }],
    ['STRIPE_API_URL', { ...stripe, STRIPE_API_URL: 'here' }],
    ['MOLLIE_KEY', { MOLLIE_KEY: 'access_hunter2' }],
    ['MOLLIE_KEY', { PAYMENT_PROVIDER: 'mollie' }],
    ['MOLLIE_API_URL', { ...mollie, MOLLIE_API_URL: 'http://127.0.0.1.example.test' }],
  ])('%s in %j', (name, env) => {
    const attempt = () => loadConfig(env)
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(new RegExp(`${name}: `))
    expect(attempt).not.toThrow(/hunter2/)
  })
})

test.each([
  'https://proxy.example.test/stripe',
  'http://127.0.0.1:1234',
  'http://localhost:1234',
  'http://[::1]:1',
])('the API may be at %s', (address) => {
  expect(loadConfig({ ...stripe, STRIPE_API_URL: address }).STRIPE_API_URL).toBe(address)
})

test.each([
  [{}, []],
  [stripe, ['stripe']],
  [mollie, ['mollie']],
  [{ ...stripe, ...mollie, PAYMENT_PROVIDER: 'mollie' }, ['stripe', 'mollie']],
])('the keys in %j give the providers %j', (env, names) => {
  expect(configuredProviders(loadConfig(env), systemClock).map(({ name }) => name)).toEqual(names)
})

test.each([
  ['https://portal.example.test', 'https://portal.example.test/api/webhooks/payment/mollie'],
  ['http://localhost:8000', undefined],
  ['http://app.localhost:8000', undefined],
  ['http://127.0.0.1:8000', undefined],
])('messages for %s go to %s', (appUrl, address) => {
  expect(webhookUrl(appUrl, 'mollie')).toBe(address)
})
