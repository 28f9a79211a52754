// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const owner = 7

/** Imports the module as in a newly loaded page. */
async function load() {
  vi.resetModules()
  const { activateLanguage } = await import('../../i18n/i18n.ts')
  await activateLanguage('en')
  return import('./kept-forms.ts')
}

beforeEach(() => sessionStorage.clear())
afterEach(() => sessionStorage.clear())

/** Ends the session while a form with these values is on screen. */
async function endWith(values: Record<string, unknown>) {
  const page = await load()
  page.trackForm('user', () => values)
  page.keepForms(owner)
  return page
}

test('restores the input of the same user after a reload', async () => {
  await endWith({ first_name: 'Ada', aliases: ['a@example.test'] })
  const page = await load()
  page.dropForms(owner)
  expect(page.takeKeptForm('user')).toEqual({ first_name: 'Ada', aliases: ['a@example.test'] })
  expect(page.takeKeptForm('user')).toBeUndefined()
  expect((await load()).takeKeptForm('user')).toBeUndefined()
})

test.each([
  ['somebody else signs in', 8],
  ['somebody signs out', undefined],
])('nothing is left in the tab once %s', async (_, next) => {
  await endWith({ first_name: 'Ada' })
  const page = await load()
  page.dropForms(next)
  expect(page.takeKeptForm('user')).toBeUndefined()
  expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('Ada')
})

test("never stores secrets, at any depth, or values that can't be serialized", async () => {
  await endWith({
    ...{ first_name: 'Ada', password: 'hunter2', file: new Blob(['hunter2']), chosen: new Set([1]) },
    ...{ room: { password: 'hunter2' }, list: [{ secret: 'hunter2' }], date: new Date(0) },
  })
  expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('hunter2')
  expect((await load()).takeKeptForm('user')).toEqual({ first_name: 'Ada' })
})
