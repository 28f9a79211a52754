// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { createStore, useStore } from '../../state/store.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toastStore } from '../../ui/toasts/store.ts'
import { useRevisedForm } from './use-revised-form.ts'

interface Thing {
  revision: string
  name: string
  place: string
}

const first: Thing = { revision: 'r1', name: 'Team', place: 'Bern' }

/** The object on the server; changes based on another revision are rejected. */
let server: Thing
let sent: { name?: string; place?: string; revision: string | null }[]
/** The object as a query shows it. */
const shown = createStore(first)

function Sample() {
  const detail = useStore(shown)
  const edit = useRevisedForm<Thing, Pick<Thing, 'name' | 'place'>>({
    detail,
    valuesOf: ({ name, place }) => ({ name, place }),
    save: async (changes, revision) => {
      sent.push({ ...changes, revision })
      if (revision !== null && revision !== server.revision)
        throw new ApiError('Conflict', { status: 409, fromServer: true })
      server = { ...server, ...changes, revision: `${server.revision}+` }
    },
    reread: async () => {
      shown.set(server)
      return server
    },
  })
  return (
    <form {...edit.form.props}>
      <TextField {...edit.form.field('name')} label="Name" />
      <TextField {...edit.form.field('place')} label="Place" />
      <output>{edit.conflict ? 'conflict' : edit.form.dirty ? 'dirty' : 'clean'}</output>
      <button type="submit">Save</button>
      <button type="button" onClick={edit.reload}>
        Reload
      </button>
      <button type="button" onClick={edit.overwrite}>
        Overwrite
      </button>
      <button type="button" onClick={edit.discard}>
        Discard
      </button>
    </form>
  )
}

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  server = first
  shown.set(first)
  sent = []
})
afterEach(() => {
  cleanup()
  toastStore.set([])
})

const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

async function rename(text: string) {
  await userEvent.clear(screen.getByLabelText('Name'))
  await userEvent.type(screen.getByLabelText('Name'), text)
}

/** Changes the name here while another user changes the place. */
async function collide() {
  render(<Sample />)
  await rename('Mine')
  server = { revision: 'r2', name: 'Team', place: 'Basel' }
  await press('Save')
  await screen.findByText('conflict')
}

test('sends only the changed fields, with the revision they are based on', async () => {
  render(<Sample />)
  await rename('Crew')
  await press('Save')
  await screen.findByText('clean')
  expect(sent).toEqual([{ name: 'Crew', revision: 'r1' }])
})

test('keeps the input on a conflict, and reloading applies it to the newer state', async () => {
  await collide()
  expect(value('Name')).toBe('Mine')
  await press('Reload')
  await screen.findByText('dirty')
  expect([value('Name'), value('Place')]).toEqual(['Mine', 'Basel'])
  await press('Save')
  await screen.findByText('clean')
  expect(server).toMatchObject({ name: 'Mine', place: 'Basel' })
})

test("overwriting ignores the other user's changes, for one request only", async () => {
  await collide()
  await press('Overwrite')
  await screen.findByText('clean')
  expect(sent.at(-1)).toEqual({ name: 'Mine', revision: null })
  await rename('Again')
  await press('Save')
  await screen.findByText('clean')
  expect(sent.at(-1)).toEqual({ name: 'Again', revision: 'r2+' })
})

test('discarding after a conflict shows the newer state', async () => {
  await collide()
  await press('Discard')
  await screen.findByText('clean')
  expect([value('Name'), value('Place')]).toEqual(['Team', 'Basel'])
})

test("shows another user's change at once if the form is pristine, and holds it back otherwise", async () => {
  render(<Sample />)
  act(() => shown.set({ ...first, revision: 'r2', place: 'Basel' }))
  expect(value('Place')).toBe('Basel')
  await rename('Mine')
  act(() => shown.set({ ...first, revision: 'r3', place: 'Chur' }))
  expect(value('Place')).toBe('Basel')
})

test('a change of what is no part of the revision shows too', () => {
  render(<Sample />)
  act(() => shown.set({ ...first, place: 'Basel' }))
  expect(value('Place')).toBe('Basel')
})
