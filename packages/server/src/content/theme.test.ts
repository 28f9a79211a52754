import { languages } from '@gatehouse/contract/language'
import { describe, expect, it } from 'vitest'
import { faqFor } from './faq.ts'
import { mailTheme } from './mail-theme.ts'
import { menuFor } from './menu.ts'
import { createPages } from './pages.ts'
import { loadTheme, loadThemes, type Theme, themeString } from './theme.ts'
import { ThemeError } from './theme-error.ts'
import {
  defaultThemeFolder,
  settingsWith,
  type ThemeFiles,
  themeSettings,
  writeTheme,
} from './theme-fixture.ts'
import { themeStylesheet } from './theme-stylesheet.ts'

async function load(changes?: ThemeFiles): Promise<Theme> {
  const { folder, remove } = await writeTheme(changes)
  try {
    return await loadTheme(folder)
  } finally {
    await remove()
  }
}

async function faultOf(changes: ThemeFiles): Promise<unknown> {
  return load(changes).catch((error: unknown) => error)
}

describe('a theme', () => {
  it('is loaded with its strings and pages', async () => {
    const theme = await load()
    expect(theme.strings.de).toEqual({ 'menu.help': 'Hilfe' })
    expect([...theme.pages.keys()]).toEqual(['help'])
    expect(theme.name).toMatch(/^theme-/)
  })

  it('falls back to English for missing strings', async () => {
    const theme = await load()
    expect(themeString(theme, 'menu.help', 'de')).toBe('Hilfe')
    expect(themeString(theme, 'faq.why', 'de')).toBe('Why?')
    expect(themeString(theme, 'faq.nothing', 'de')).toBeUndefined()
  })

  it('may have pages in subfolders and no FAQ', async () => {
    const theme = await load({ ...settingsWith({ faq: {} }), 'pages/help/mail.en.html': 'Mail' })
    expect([...theme.pages.keys()].sort()).toEqual(['help', 'help/mail'])
  })
})

describe('errors in a theme name the file and the key:', () => {
  const menuEntry = { label: 'help', location: '/help' }
  const noAccent = Object.fromEntries(
    Object.entries(themeSettings.colours).filter(([name]) => name !== 'accent'),
  )

  it.each<[string, ThemeFiles, string, string | undefined]>([
    ['no theme.json', { 'theme.json': undefined }, 'theme.json', undefined],
    ['no JSON', { 'theme.json': '{' }, 'theme.json', undefined],
    ['no JSON in strings', { 'strings/de.json': 'x' }, 'strings/de.json', undefined],
    ['an unknown key', settingsWith({ mneu: [] }), 'theme.json', 'mneu'],
    ['an entry without label', settingsWith({ menu: [{ location: '/help' }] }), 'theme.json', 'menu.0.label'],
    [
      'an entry without location',
      settingsWith({ menu: [{ label: 'help' }] }),
      'theme.json',
      'menu.0.location',
    ],
    [
      'a location that runs',
      settingsWith({ menu: [{ label: 'help', location: 'javascript:alert(1)' }] }),
      'theme.json',
      'menu.0.location',
    ],
    [
      'a location elsewhere',
      settingsWith({ menu: [{ label: 'help', location: '//evil.test' }] }),
      'theme.json',
      'menu.0.location',
    ],
    ['a label twice', settingsWith({ menu: [menuEntry, menuEntry] }), 'theme.json', 'menu.1.label'],
    [
      'a page that is not there',
      settingsWith({ menu: [{ ...menuEntry, page: 'no' }] }),
      'theme.json',
      'menu.0.page',
    ],
    [
      'a wrong admin mark',
      settingsWith({ menu: [{ ...menuEntry, admin: 'also' }] }),
      'theme.json',
      'menu.0.admin',
    ],
    ['an entry without title', { 'strings/en.json': '{"faq.why":"Why?"}' }, 'strings/en.json', 'menu.help'],
    ['a question without title', { 'strings/en.json': '{"menu.help":"Help"}' }, 'strings/en.json', 'faq.why'],
    ['an empty title', { 'strings/en.json': '{"menu.help":""}' }, 'strings/en.json', 'menu.help'],
    ['a stray string', { 'strings/en.json': '{"ui.x":"x"}' }, 'strings/en.json', 'ui.x'],
    [
      'a string that English lacks',
      { 'strings/de.json': '{"menu.hlep":"x"}' },
      'strings/de.json',
      'menu.hlep',
    ],
    ['an unknown language', { 'strings/xx.json': '{}' }, 'strings/xx.json', undefined],
    ['a FAQ path in capitals', settingsWith({ faq: { '/Signup': [] } }), 'theme.json', 'faq./Signup'],
    ['a star in a word', settingsWith({ faq: { '/us*': [] } }), 'theme.json', 'faq./us*'],
    ['no accent', settingsWith({ colours: noAccent }), 'theme.json', 'colours.accent'],
    [
      'a colour that is CSS',
      settingsWith({ colours: { ...themeSettings.colours, accent: { light: 'red;}', dark: '#000000' } } }),
      'theme.json',
      'colours.accent.light',
    ],
    [
      'an image outside',
      settingsWith({ images: { ...themeSettings.images, logo: 'images/../../logo.svg' } }),
      'theme.json',
      'images.logo',
    ],
    ['an image that is not there', { 'images/mark.png': undefined }, 'theme.json', 'images.mailMark'],
    ['a page without English', { 'pages/help.en.html': undefined }, 'pages/help.en.html', undefined],
    ['a page of no language', { 'pages/help.html': 'x' }, 'pages/help.html', undefined],
    ['a page in capitals', { 'pages/Help.en.html': 'x' }, 'pages/Help.en.html', undefined],
    [
      'a placeholder that is none',
      { 'pages/help.de.html': '{{ app.name }}' },
      'pages/help.de.html',
      '{{ app.name }}',
    ],
    ['an open condition', { 'pages/help.de.html': '{{#a}}x' }, 'pages/help.de.html', '{{#a}}'],
    [
      'a crossed condition',
      { 'pages/help.de.html': '{{#a}}{{#b}}{{/a}}{{/b}}' },
      'pages/help.de.html',
      '{{/a}}',
    ],
  ])('%s', async (_, changes, file, key) => {
    const fault = await faultOf(changes)
    expect(fault).toBeInstanceOf(ThemeError)
    expect(fault).toMatchObject({ file, key })
    expect(String(fault)).toContain(file)
  })
})

describe('a theme that extends another one', () => {
  const beside = async (files: ThemeFiles) => {
    const { folder: parent, remove } = await writeTheme({ ...bare, ...files })
    try {
      return await loadThemes(parent)
    } finally {
      await remove()
    }
  }
  const bare: ThemeFiles = Object.fromEntries(
    ['theme.json', 'strings/en.json', 'strings/de.json', 'pages/help.en.html', 'pages/help.de.html']
      .concat('images/logo.svg', 'images/mark.png')
      .map((file) => [file, undefined]),
  )
  const within = (name: string, files: ThemeFiles): ThemeFiles =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]))
  const base = within('base', {
    'theme.json': JSON.stringify(themeSettings),
    'strings/en.json': JSON.stringify({ 'menu.help': 'Help', 'faq.why': 'Why?' }),
    'pages/help.en.html': '<h1>Help</h1>',
    'images/logo.svg': '<svg/>',
    'images/mark.png': 'png',
  })

  it('inherits what it does not define', async () => {
    const accent = { light: '#445566', dark: '#aabbcc' }
    const own = within('own', {
      'theme.json': JSON.stringify({ extends: 'base', colours: { accent } }),
      'images/logo.svg': '<svg/>',
      'strings/en.json': JSON.stringify({ 'menu.help': 'Ask us' }),
    })
    const theme = (await beside({ ...base, ...own })).get('own')
    expect(theme?.colours.accent).toEqual(accent)
    expect(theme?.colours.lintel).toEqual(themeSettings.colours.lintel)
    expect(theme?.menu).toEqual(themeSettings.menu)
    expect(theme?.strings.en).toEqual({ 'menu.help': 'Ask us', 'faq.why': 'Why?' })
    expect([...(theme?.pages.keys() ?? [])]).toEqual(['help'])
    expect(theme?.mailMarkFile).toMatch(/base\/images\/mark\.png$/)
  })

  it('must not extend itself indirectly or a missing theme', async () => {
    const circle = (name: string, other: string) =>
      within(name, { 'theme.json': JSON.stringify({ extends: other }) })
    const fault = await beside({ ...circle('one', 'two'), ...circle('two', 'one') }).catch(
      (error: unknown) => error,
    )
    expect(fault).toMatchObject({ file: 'theme.json', key: 'extends' })
    const lost = await beside(circle('one', 'nowhere')).catch((error: unknown) => error)
    expect(lost).toMatchObject({ file: 'theme.json' })
  })
})

describe('the theme shipped with the product', () => {
  const values = {
    'app.name': 'Gatehouse',
    'app.support_email': 'support@example.test',
    'app.webmail_url': 'https://mail.example.test/',
    'app.company.copyright': 'Example Ltd',
  }

  it('has every title in every language', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    for (const language of languages) {
      expect(Object.keys(theme.strings[language]).sort()).toEqual(Object.keys(theme.strings.en).sort())
    }
  })

  it('has every page in every language, with the same headings and links', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    const pages = createPages(theme, values)
    expect([...theme.pages.keys()].sort()).toEqual(['privacy', 'support', 'terms'])
    for (const name of theme.pages.keys()) {
      const [english = '', ...others] = languages.map((language) => pages.render(name, language) ?? '')
      const shape = (html: string): string[] => html.match(/<h\d[^>]*>|<section[^>]*>|href="[^"]*"/g) ?? []
      expect(shape(english).length).toBeGreaterThan(5)
      for (const html of others) {
        expect(shape(html)).toEqual(shape(english))
        expect(html).not.toBe(english)
      }
    }
  })

  it('has no broken links', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    const pages = createPages(theme, values)
    const links = Object.values(theme.faq).flat()
    expect(links.length).toBeGreaterThan(5)
    for (const { href } of links) {
      const [path = '', anchor] = href.split('#')
      const html = pages.render(path.slice(1), 'en') ?? ''
      expect(html, href).toContain('<h1>')
      if (anchor) expect(html, href).toContain(`id="${anchor}"`)
    }
  })

  it('links to support in header and footer of every host, and to terms and privacy in the footer', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    for (const variant of ['user', 'admin', 'reseller'] as const) {
      const menu = menuFor(theme, { variant, languages })
      expect(menu.map(({ label, footer }) => [label, footer ?? false])).toEqual([
        ['support', false],
        ['terms', true],
        ['privacy', true],
      ])
    }
  })

  it('has FAQ entries for sign-up and the paths below it', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    const faq = faqFor(theme, 'signup', 'de')
    expect(faq?.map(({ label }) => label)).toEqual(['support', 'storage', 'upgrade', 'terms'])
    expect(faqFor(theme, 'signup/voucher/TEST100', 'de')).toEqual(faq)
    expect(faqFor(theme, 'user/123', 'en')).toHaveLength(1)
  })

  it('shows the contact panel only if a support address is configured', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    expect(createPages(theme, values).render('support', 'en')).toContain('href="/support/contact"')
    const without = createPages(theme, { ...values, 'app.support_email': null }).render('support', 'en')
    expect(without).not.toMatch(/contact|mailto/i)
  })

  it('provides the colours and the logo of e-mails', async () => {
    const theme = await loadTheme(defaultThemeFolder)
    const { colours, markUrl, companyLine } = mailTheme(theme, {
      publicUrl: 'https://portal.test/base/',
      companyLine: null,
    })
    expect(colours.accent).toEqual({ light: '#0a6270', dark: '#58b9c4' })
    expect(markUrl).toBe('https://portal.test/base/themes/default/images/mark.png')
    expect(companyLine).toBeUndefined()
  })

  it('provides the colours of pages for both colour schemes', async () => {
    const css = themeStylesheet(await loadTheme(defaultThemeFolder))
    expect(css).toMatch(/^:root\{--accent:light-dark\(#0a6270,#58b9c4\);/)
  })
})
