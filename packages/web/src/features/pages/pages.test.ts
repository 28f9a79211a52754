// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { arrangeContent } from './arrange-content.ts'
import { pageName } from './page-name.ts'

test.each([
  ['/support', undefined, 'support'],
  ['/Help/Mail/', undefined, 'help/mail'],
  ['/hilfe', 'support', 'support'],
  ['/', 'home', 'home'],
  ['/', undefined, undefined],
  ['/a*', undefined, undefined],
  ['/../secret', undefined, undefined],
  ['/a//b', undefined, undefined],
  ['/login/unknown', undefined, 'login/unknown'],
])('the page at %s (menu: %s) is %s', (path, menu, name) => {
  expect(pageName(path, menu)).toBe(name)
})

test('the title is the first heading', () => {
  expect(arrangeContent('<h1> Terms &amp; more </h1><p>x</p>').title).toBe('Terms & more')
  expect(arrangeContent('<p>x</p>').title).toBe('')
})

test('groups headings and their content into sections of one sheet', () => {
  const { html } = arrangeContent(
    '<h1>T</h1><p class="lead">L</p><h2 id="faq-a">A</h2><p>1</p><ul><li>2</li></ul><h2>B</h2><p>3</p>',
  )
  expect(html).toBe(
    '<h1>T</h1><p class="lead">L</p><div class="content-sheet">' +
      '<section class="content-section"><h2 id="faq-a">A</h2><div><p>1</p><ul><li>2</li></ul></div></section>' +
      '<section class="content-section"><h2>B</h2><div><p>3</p></div></section></div>',
  )
})

test('leaves columns and rules outside of sections', () => {
  const { html } = arrangeContent(
    '<h2>A</h2><p>1</p><div class="columns"><section class="panel"><h2>P</h2></section></div><h2>B</h2><hr><p>3</p>',
  )
  expect(html).toBe(
    '<div class="content-sheet"><section class="content-section"><h2>A</h2><div><p>1</p></div></section></div>' +
      '<div class="columns"><section class="panel"><h2>P</h2></section></div>' +
      '<div class="content-sheet"><section class="content-section"><h2>B</h2><div></div></section></div>' +
      '<hr><p>3</p>',
  )
})
