// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { config } from '../config.ts'
import { menuItems } from './menu.ts'

beforeAll(() => activateLanguage('en'))
afterEach(() => {
  config.menu = []
  config['app.with_signup'] = false
  window.isAdmin = false
  vi.restoreAllMocks()
})

const labels = (loggedIn: boolean, place: 'header' | 'footer' = 'header') =>
  menuItems({ loggedIn, language: 'de', place }).map((item) => item.label)

test("shows the product's menu", () => {
  config['app.with_signup'] = true
  config.menu = [{ label: 'support', location: '/support' }]
  expect(labels(false)).toEqual(['signup', 'support', 'login'])
  expect(labels(true)).toEqual(['support', 'dashboard', 'logout'])
})

test('users who must set up a second factor can only sign out', () => {
  config.menu = [{ label: 'support', location: '/support' }]
  const items = menuItems({ loggedIn: true, mustEnrol: true, language: 'de', place: 'header' })
  expect(items.map((item) => item.label)).toEqual(['support', 'logout'])
})

test('offers sign-up to ordinary users only, and only if it is enabled', () => {
  expect(labels(false)).toEqual(['login'])
  config['app.with_signup'] = true
  window.isAdmin = true
  expect(labels(false)).toEqual(['login'])
})

test('a theme may replace sign-up and dashboard', () => {
  config['app.with_signup'] = true
  config.menu = [
    { label: 'signup', location: 'https://shop.test' },
    { label: 'dashboard', location: '/' },
  ]
  expect(labels(false)).toEqual(['signup', 'dashboard', 'login'])
  expect(labels(true)).toEqual(['signup', 'dashboard', 'logout'])
})

test('filters entries for the footer and for one state', () => {
  config.menu = [
    { label: 'terms', location: '/terms', footer: true },
    { label: 'news', location: '/news', authenticated: true },
    { label: 'tour', location: '/tour', authenticated: false },
  ]
  expect(labels(true)).toEqual(['news', 'dashboard', 'logout'])
  expect(labels(false)).toEqual(['tour', 'login'])
  expect(labels(false, 'footer')).toEqual(['terms', 'tour', 'login'])
})

test('titles: current language, English, plain, own texts, label', () => {
  config.menu = [
    { label: 'a', location: '/a', title: 'plain', 'title-en': 'English', 'title-de': 'Deutsch' },
    { label: 'b', location: '/b', title: 'plain', 'title-en': 'English' },
    { label: 'c', location: '/c', title: 'plain' },
    { label: 'support', location: 'https://help.test' },
    { label: 'd', location: '/d' },
  ]
  const items = menuItems({ loggedIn: false, language: 'de', place: 'header' })
  expect(items.map(({ title, external }) => [title, external])).toEqual([
    ['Deutsch', false],
    ['English', false],
    ['plain', false],
    ['Support', true],
    ['d', false],
    ['Sign in', false],
  ])
})

test('omits an entry without a location and warns the theme author', () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
  config.menu = [{ label: 'broken', location: '' }]
  expect(labels(false)).toEqual(['login'])
  expect(complaint).toHaveBeenCalledTimes(1)
})
