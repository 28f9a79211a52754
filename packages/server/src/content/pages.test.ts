import { describe, expect, it } from 'vitest'
import { fillTemplate, parseTemplate, type TemplateValues } from './page-template.ts'
import { createPages, type Pages } from './pages.ts'
import { loadTheme } from './theme.ts'
import { ThemeError } from './theme-error.ts'
import { type ThemeFiles, writeTheme } from './theme-fixture.ts'

const values: TemplateValues = {
  'app.name': 'Gatehouse',
  'app.support_email': 'a@b.test',
  'app.webmail_url': null,
}

async function pagesWith(changes: ThemeFiles = {}, own: TemplateValues = values): Promise<Pages> {
  const { folder, remove } = await writeTheme(changes)
  try {
    return createPages(await loadTheme(folder), own)
  } finally {
    await remove()
  }
}

async function rendered(html: string, own: TemplateValues = values): Promise<string | undefined> {
  return (await pagesWith({ 'pages/help.en.html': html }, own)).render('help', 'en')
}

describe('a content page', () => {
  it('is rendered in the language of the request or in English', async () => {
    const pages = await pagesWith()
    expect(pages.render('help', 'de')).toBe('<h1>Hilfe zu Gatehouse</h1>')
    expect(pages.render('help', 'fr')).toBe('<h1>Help with Gatehouse</h1>')
  })

  it('is found regardless of case and in subfolders', async () => {
    const pages = await pagesWith({ 'pages/help/mail.en.html': '<p>Mail</p>' })
    expect(pages.render('HELP', 'en')).toContain('Help')
    expect(pages.render('Help/Mail', 'en')).toBe('<p>Mail</p>')
  })

  it('is rendered from the files read at startup', async () => {
    const pages = await pagesWith()
    expect(pages.render('help', 'en')).toBe(pages.render('help', 'en'))
  })

  it.each([
    '',
    '/',
    'help/',
    '/help',
    '../help',
    '../theme',
    '..%2ftheme',
    'help.en',
    'help.en.html',
    'help\u0000',
    '__proto__',
    'constructor',
    'no',
    'hélp',
    'help\n',
    'help/../help',
    'a'.repeat(100_000),
  ])('does not exist under the name %j', async (name) => {
    expect((await pagesWith()).render(name, 'en')).toBeUndefined()
  })

  it('prevents startup if a placeholder has no value', async () => {
    const start = pagesWith({ 'pages/help.de.html': '{{#app.name}}{{app.nmae}}{{/app.name}}' })
    await expect(start).rejects.toThrow(ThemeError)
    await expect(start).rejects.toMatchObject({ file: 'pages/help.de.html', key: '{{app.nmae}}' })
  })
})

describe('the HTML of a content page', () => {
  it('escapes the inserted values', async () => {
    const name = `<script>alert(1)</script>"onclick='x'`
    expect(await rendered('<p>{{app.name}}</p>', { 'app.name': name })).toBe(
      `<p>&lt;script&gt;alert(1)&lt;/script&gt;"onclick='x'</p>`,
    )
    const html = await rendered('<a class="{{app.name}}">x</a>', { 'app.name': '"><img src=x onerror=y>' })
    expect(html).not.toMatch(/<img/)
  })

  it.each([
    ['<script>alert(1)</script><p>x</p>', '<p>x</p>'],
    ['<p onclick="x()" style="color:red">x</p>', '<p>x</p>'],
    ['<a href="javascript:x()">x</a>', '<a>x</a>'],
    ['<a href="//evil.test/">x</a>', '<a>x</a>'],
    ['<iframe src="https://evil.test"></iframe><form action="/x"><input></form>', ''],
    ['<svg><script>x</script></svg><style>*{}</style><img src="x">', ''],
    ['<h2 id="config">x</h2>', '<h2>x</h2>'],
    ['<!-- note --><p>x</p>', '<p>x</p>'],
  ])('drops elements that may run or load something: %s', async (source, html) => {
    expect(await rendered(source)).toBe(html)
  })

  it.each([
    '<h1>a</h1><h2 id="faq-a">b</h2><p class="lead">c</p>',
    '<ul><li><a href="/support">a</a></li></ul><ol><li>b</li></ol>',
    '<table class="t"><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    '<a class="button" href="https://example.test/?a=1&amp;b=2">x</a> <a href="mailto:a@b.test">y</a>',
    '<section class="panel"><div class="columns"><strong>x</strong></div></section>',
  ])('keeps %s', async (html) => {
    expect(await rendered(html)).toBe(html)
  })

  it('does not let a value turn a link into a script', async () => {
    const html = await rendered('<a href="{{app.webmail_url}}">x</a>', {
      'app.name': '',
      'app.webmail_url': 'javascript:alert(1)',
    })
    expect(html).toBe('<a>x</a>')
  })
})

describe('the placeholders of a page', () => {
  it.each([
    ['a {{x}} b', { x: '<&>' }, 'a &lt;&amp;&gt; b'],
    ['{{#x}}yes {{x}}{{/x}}{{^x}}no{{/x}}', { x: 'v' }, 'yes v'],
    ['{{#x}}yes{{/x}}{{^x}}no{{/x}}', { x: null }, 'no'],
    ['{{#x}}yes{{/x}}{{^x}}no{{/x}}', { x: '' }, 'no'],
    ['{{#x}}yes{{/x}}{{^x}}no{{/x}}', { x: true }, 'yes'],
    ['{{#x}}[{{#y}}both{{/y}}{{^y}}one{{/y}}]{{/x}}', { x: 'a', y: false }, '[one]'],
    ['{{x}}', { x: '{{y}}', y: 'again' }, '{{y}}'],
    ['{ {x} }', {}, '{ {x} }'],
    ['', {}, ''],
  ])('%j with %j', (source, own, text) => {
    expect(fillTemplate(parseTemplate(source), own)).toBe(text)
  })
})
