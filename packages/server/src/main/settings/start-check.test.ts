import { describe, expect, test } from 'vitest'
import { settings } from './config.ts'
import { checkStart, describeChecks } from './start-check.ts'

const production = {
  NODE_ENV: 'production',
  APP_URL: 'https://portal.example.org',
  SMTP_URL: 'smtp://mail.example.org',
  GROUPWARE_BACKEND: 'null',
  DATABASE_URL: 'postgres://db.example.org/gatehouse',
  SECRET_KEY: 'a secret of at least thirty-two characters',
}

describe('starting in production', () => {
  test('succeeds without warnings if everything required is set', () => {
    expect(checkStart(production)).toEqual({ refusals: [], warnings: [] })
  })

  test.each(['APP_URL', 'SMTP_URL', 'GROUPWARE_BACKEND', 'SECRET_KEY'])('fails without %s', (name) => {
    const { refusals } = checkStart({ ...production, [name]: ' ' })
    expect(refusals).toEqual([expect.stringMatching(new RegExp(`^${name}: production`))])
  })

  test('generates a secret with the embedded database and warns about it', () => {
    const { refusals, warnings } = checkStart({ ...production, DATABASE_URL: '', SECRET_KEY: '' })
    expect(refusals).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/^DATABASE_URL: not set/)])
  })

  test.each([
    ['http://portal.example.org', 1],
    ['https://portal.example.org', 0],
    ['http://localhost:8000', 0],
  ])('at %s causes %d warnings', (APP_URL, count) => {
    const { warnings } = checkStart({ ...production, APP_URL })
    expect(warnings.filter((text) => text.startsWith('APP_URL: http:// sends'))).toHaveLength(count)
  })

  test('lists everything at once, including invalid values and contradictions', () => {
    const { SMTP_URL: _, ...without } = production
    const checks = checkStart({ ...without, PORT: '80a', SECRET_KEY: '', APP_THEM: 'dark' })
    expect(describeChecks(checks).split('\n')).toEqual([
      'Gatehouse cannot start. Invalid settings:',
      '  PORT: must be a whole number',
      expect.stringMatching(/^ {2}SECRET_KEY: production with DATABASE_URL/),
      expect.stringMatching(/^ {2}SMTP_URL: production/),
      '  APP_THEM: unknown setting. Did you mean APP_THEME? (warning)',
    ])
    const contrary = checkStart({ ...production, PAYMENT_PROVIDER: 'stripe', FILESYSTEM_DISK: 's3' })
    expect(contrary.refusals.map((text) => text.split(':')[0])).toEqual(['STRIPE_KEY', 'FILES_S3_BUCKET'])
    const cyrus = checkStart({ ...production, GROUPWARE_BACKEND: 'cyrus' })
    expect(cyrus.refusals).toEqual(['CYRUS_ADMIN_PASSWORD: GROUPWARE_BACKEND=cyrus needs it'])
  })
})

describe('configured payment methods', () => {
  const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const mollie = { MOLLIE_KEY: 'test_0123456789' }

  test.each<[string, Record<string, string>, string[]]>([
    [
      'bitcoin, from Stripe',
      { ...stripe, PAYMENT_METHODS_ONEOFF: 'creditcard,bitcoin' },
      ['PAYMENT_METHODS_ONEOFF: bitcoin is not offered, because stripe does not support it'],
    ],
    [
      'mandates by PayPal and bank transfer, from Stripe and Mollie',
      { ...stripe, ...mollie, PAYMENT_METHODS_RECURRING: 'paypal,banktransfer' },
      ['PAYMENT_METHODS_RECURRING: banktransfer is not offered, because stripe and mollie do not support it'],
    ],
    ['bitcoin, from the sandbox', { PAYMENT_PROVIDER: 'sandbox', PAYMENT_METHODS_ONEOFF: 'bitcoin' }, []],
    ['nothing, which leaves the defaults', stripe, []],
    ['bitcoin, where nobody takes payments', { PAYMENT_METHODS_ONEOFF: 'bitcoin' }, []],
  ])('cause a warning if no provider offers them: %s', (_, settings, warnings) => {
    expect(checkStart({ ...production, ...settings })).toEqual({ refusals: [], warnings })
  })
})

test('starting outside production requires no settings', () => {
  expect(checkStart({})).toEqual({ refusals: [], warnings: [] })
})

describe('an unknown variable', () => {
  test.each([
    ['APP_THEM', 'APP_THEME'],
    ['APP_THMEE', 'APP_THEME'],
    ['app_theme', 'APP_THEME'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['SECRETKEY', 'SECRET_KEY'],
    ['STMP_URL', 'SMTP_URL'],
    ['PROT', 'PORT'],
  ])('is reported if it resembles a setting: %s', (name, meant) => {
    const warning = `${name}: unknown setting. Did you mean ${meant}?`
    expect(checkStart({ [name]: 'x' }).warnings).toEqual([warning])
  })

  test('is ignored otherwise', () => {
    const usual =
      'PATH HOME SHELL USER LOGNAME LANG LC_ALL TERM PWD OLDPWD SHLVL EDITOR PAGER MAIL HOSTNAME HOSTTYPE TZ TMPDIR DISPLAY NODE NODE_OPTIONS NODE_PATH NODE_VERSION PGHOST PGPORT PGUSER PGDATABASE CI DEBUG INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS XDG_RUNTIME_DIR SSH_AUTH_SOCK COLORTERM KUBERNETES_PORT GATEHOUSE_BUILD npm_package_name npm_lifecycle_event INIT_CWD http_proxy HTTPS_PROXY NO_PROXY YARN_VERSION _'
    const env = Object.fromEntries(usual.split(' ').map((name) => [name, 'x']))
    expect(checkStart(env).warnings).toEqual([])
  })

  test('is never mistaken for an existing setting', () => {
    const all = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '']))
    expect(checkStart(all).warnings).toEqual([])
  })
})
