import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageBoot } from '@gatehouse/contract/page-config'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../main/settings/config.ts'
import { chosenScheme } from '../platform/http/connections/chosen-scheme.ts'
import { PageHost, pageAssets, WebBuildMissing } from './page-host.ts'
import { loadThemes } from './theme.ts'

const themes = new URL('../../../../themes', import.meta.url).pathname
let webFolder = ''

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'gatehouse-web-'))
  await mkdir(join(webFolder, '.vite'))
  const manifest = {
    'src/main.tsx': {
      file: 'assets/main-1.js',
      isEntry: true,
      css: ['assets/main-1.css'],
      imports: ['_parts.js'],
      assets: [
        'assets/hanken-grotesk-latin-wght-normal-1.woff2',
        'assets/hanken-grotesk-latin-ext-wght-normal-1.woff2',
      ],
    },
    '_parts.js': { file: 'assets/parts-1.js', css: ['assets/parts-1.css'], imports: ['src/main.tsx'] },
    'src/i18n/languages/de.ts': { file: 'assets/de-1.js' },
  }
  await writeFile(join(webFolder, '.vite/manifest.json'), JSON.stringify(manifest))
})

afterAll(() => rm(webFolder, { recursive: true }))

async function page(
  settings: Record<string, string>,
  request: Partial<Parameters<PageHost['page']>[0]> = {},
) {
  const config = loadConfig({ NODE_ENV: 'test', ...settings })
  const host = new PageHost(config, await loadThemes(themes), await pageAssets(webFolder, false))
  const brand = {
    tenantId: 0,
    theme: 'default',
    name: config.APP_NAME,
    url: config.APP_URL,
    supportEmail: config.SUPPORT_EMAIL ?? null,
  }
  return host.page({
    brand,
    variant: 'user',
    language: 'en',
    path: '/',
    nonces: { script: 'abc', style: 'def' },
    ...request,
  })
}

function boot(html: string): PageBoot {
  const json = /<script type="application\/json" id="config">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  return JSON.parse(json) as PageBoot // the block that the page host wrote
}

test("a tenant's page has the tenant's theme, logo, name and addresses", async () => {
  const brand = {
    ...{ tenantId: 7, theme: 'harbour', name: 'Partner', url: 'https://mail.partner.test' },
    supportEmail: 'help@partner.test',
  }
  const html = await page({}, { brand })
  expect(html).toContain('<title>Partner</title>')
  expect(html).toContain('href="/themes/harbour/theme.css"')
  expect(html).toContain('href="/themes/harbour/images/favicon.svg"')
  const { config } = boot(html)
  expect(config).toMatchObject({
    'app.name': 'Partner',
    'app.url': 'https://mail.partner.test',
    'app.installation_url': 'http://localhost:8000',
    'app.theme': 'harbour',
    'app.logo': '/themes/harbour/images/logo.svg',
    'app.tenant': 7,
    'app.support_email': 'help@partner.test',
  })
  // settings missing in a theme come from the theme it extends
  expect(config.menu.map(({ label }) => label)).toEqual(['support', 'terms', 'privacy'])
})

describe('the page', () => {
  test("preloads the build's files: entry, its imports, style sheets, the Latin font and the texts", async () => {
    const html = await page({}, { language: 'de' })
    expect(html).toContain('<script type="module" src="/assets/main-1.js" nonce="abc"></script>')
    expect(html).toContain('<link rel="modulepreload" href="/assets/parts-1.js" nonce="abc">')
    expect(html).toContain('<link rel="modulepreload" href="/assets/de-1.js" nonce="abc">')
    expect(html).toContain('<link rel="stylesheet" href="/assets/main-1.css">')
    expect(html).toContain('<link rel="stylesheet" href="/assets/parts-1.css">')
    expect(html).toContain('href="/assets/hanken-grotesk-latin-wght-normal-1.woff2" as="font"')
    expect(html).not.toContain('latin-ext')
  })

  test('declares its language and contains no inline script or style', async () => {
    const html = await page({}, { language: 'fr' })
    expect(html).toContain('<html lang="fr">')
    const scripts = [...html.matchAll(/<script(?![^>]*application\/json)([^>]*)>([^<]*)/g)]
    expect(scripts.every((match) => match[1]?.includes('src=') && match[2] === '')).toBe(true)
    expect(html).not.toMatch(/<style|style=/)
  })

  test.each([
    ['user', false, false, 'user.js'],
    ['admin', true, false, 'admin.js'],
    ['reseller', false, true, 'reseller.js'],
  ] as const)('identifies the %s variant by its flags', async (variant, isAdmin, isReseller, jsapp) => {
    const { config, ...flags } = boot(await page({}, { variant }))
    expect(flags).toEqual({ isAdmin, isReseller })
    expect(config.jsapp).toBe(jsapp)
  })

  test('contains every configuration key of the specification', async () => {
    const { config } = boot(
      await page({
        APP_URL: 'https://portal.test/',
        APP_NAME: 'Portal',
        SUPPORT_EMAIL: 'help@portal.test',
        APP_LOCALES: 'en,de',
      }),
    )
    expect(config).toMatchObject({
      'app.name': 'Portal',
      'app.url': 'https://portal.test',
      'app.installation_url': 'https://portal.test',
      'app.domain': 'portal.test',
      'app.theme': 'default',
      'app.webmail_url': null,
      'app.support_email': 'help@portal.test',
      'app.company.copyright': 'Gatehouse',
      'app.companion_download_link': null,
      'app.shared_folder_types': ['mail', 'event', 'contact', 'task', 'note', 'file'],
      'app.with_signup': true,
      'app.retention_days': 30,
      'mail.from.address': 'noreply@portal.test',
      languages: ['en', 'de'],
      paymentProvider: 'sandbox',
      stripePK: null,
      view: 'root',
    })
    expect(Object.keys(config.countries)).toHaveLength(249)
    expect(config.countries.CH).toEqual(['CHF', 'Switzerland'])
    expect(config.menu[0]).toMatchObject({ label: 'support', location: '/support', page: 'support' })
  })

  test("applies the chosen colour scheme before the first paint and defaults to the system's", async () => {
    const chosen = await page({}, { scheme: 'dark' })
    expect(chosen).toContain('<html lang="en" data-theme="dark">')
    expect(chosen).toContain('<meta name="color-scheme" content="dark">')
    const free = await page({})
    expect(free).toContain('<html lang="en">')
    expect(free).toContain('<meta name="color-scheme" content="light dark">')
  })

  test.each([
    ['color-scheme=dark', 'dark'],
    ['language=de; color-scheme=light', 'light'],
    ['color-scheme="><script>', undefined],
    ['other-color-scheme=dark', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads the chosen colour scheme from the cookie %s', (cookie, expected) => {
    expect(chosenScheme(cookie)).toBe(expected)
  })

  test('prevents configuration values from breaking out of the data block', async () => {
    const html = await page({ APP_NAME: '</script><script>alert(1)</script>' })
    expect(html.match(/alert\(1\)/g)).toHaveLength(3)
    expect(html).not.toContain('<script>alert')
    expect(boot(html).config['app.name']).toBe('</script><script>alert(1)</script>')
  })

  test.each([
    ['/login', 'page-login'],
    ['/Password-Reset/X', 'page-password-reset'],
    ['/%22onload', 'page-'],
    ['/', 'page-'],
  ])('%s has the body class %s', async (path, name) => {
    expect(await page({}, { path })).toContain(`<body class="${name}">`)
  })

  test('fails without a build', async () => {
    await expect(pageAssets(join(webFolder, 'nowhere'), false)).rejects.toThrow(WebBuildMissing)
  })
})
