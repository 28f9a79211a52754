// @vitest-environment happy-dom

import { expect, test } from 'vitest'
import { isElsewhere } from './shortcuts.ts'

function pressed(html: string, init: KeyboardEventInit = {}): boolean {
  document.body.innerHTML = html
  const event = new KeyboardEvent('keydown', { key: 'm', bubbles: true, ...init })
  document.body.querySelector('[id="x"]')?.dispatchEvent(event)
  return isElsewhere(event)
}

test.each([
  '<input id="x">',
  '<textarea id="x"></textarea>',
  '<select id="x"></select>',
  '<div role="dialog"><button id="x"></button></div>',
  '<div role="menu"><button id="x"></button></div>',
])('a key in %s is not for the meeting', (html) => {
  expect(pressed(html)).toBe(true)
})

test.each(['<button id="x"></button>', '<section id="x"></section>'])('a key on %s is', (html) => {
  expect(pressed(html)).toBe(false)
})

test.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])('ignores keys with %j', (modifier) => {
  expect(pressed('<button id="x"></button>', modifier)).toBe(true)
})
