// @vitest-environment happy-dom
import type { MailFilters } from '@gatehouse/contract/mail/mail-filters'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { auth } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { MailFiltersPage } from './mail-filters-page.tsx'

const rule = (name: string, folder: string): MailFilters['rules'][number] => ({
  ...{ name, isEnabled: true, match: 'all', isLast: false },
  conditions: [{ field: 'subject', test: 'contains', value: name.toLowerCase() }],
  actions: [{ kind: 'file', folder }],
})

const stored: MailFilters = {
  rules: [rule('Invoices', 'Shop'), rule('News', 'Newsletters')],
  outOfOffice: {
    ...{ isEnabled: false, from: null, until: null, timeZone: 'Europe/Zurich', subject: '', text: '' },
    ...{ audience: 'everyone', days: 7, addresses: [] },
  },
  ...{ revision: 'r1', state: 'active', otherScript: null, problem: null, uploaded_at: null },
}

let filters = stored
/** Bodies of the changes that were sent. */
const sent: Record<string, unknown>[] = []

/** Mocked server following the contract. */
async function answer(_url: string, init?: RequestInit): Promise<Response> {
  if (init?.method !== 'PUT') return Response.json(filters)
  if (typeof init.body === 'string') sent.push(JSON.parse(init.body))
  return Response.json({ status: 'success', message: 'The filters have been saved.', revision: 'r2' })
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('mailfilters')
})
beforeEach(() => {
  vi.stubGlobal('fetch', answer)
  auth.set({ loggedIn: true, user: testUser() })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  sent.length = 0
  filters = stored
  vi.unstubAllGlobals()
})

const show = () =>
  renderRouted(() => (
    <QueryScope>
      <MailFiltersPage />
    </QueryScope>
  ))

/** All at once: typing re-renders the dialog for each key. */
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

const save = async () => userEvent.click(await screen.findByRole('button', { name: 'Save' }))

test('rules are listed in their order, as sentences', async () => {
  await show()
  const names = await screen.findAllByRole('checkbox', { name: /Invoices|News/ })
  expect(names).toHaveLength(2)
  expect(screen.getByText('If the subject contains “invoices”: move to “Shop”.')).toBeTruthy()
})

test('moved, disabled and removed rules are saved together, based on the version that was shown', async () => {
  await show()
  await userEvent.click(await screen.findByRole('button', { name: 'Move News up' }))
  await userEvent.click(screen.getByRole('checkbox', { name: /News/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove Invoices' }))
  await save()
  expect(sent).toMatchObject([{ revision: 'r1', rules: [{ name: 'News', isEnabled: false }] }])
})

test('a new rule is edited in a dialog and becomes the last one', async () => {
  await show()
  await userEvent.click(await screen.findByRole('button', { name: 'New filter' }))
  const dialog = within(await screen.findByRole('dialog'))
  fill(dialog.getByLabelText('Name'), 'From Ann')
  fill(dialog.getByLabelText('Condition 1: text'), 'ann@elsewhere.test')
  fill(dialog.getByLabelText('Folder'), 'Ann')
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
  await save()
  expect(sent[0]?.rules).toMatchObject([
    { name: 'Invoices' },
    { name: 'News' },
    { name: 'From Ann', actions: [{ kind: 'file', folder: 'Ann' }] },
  ])
})

test.each([
  ['not-connected', 'Mail isn’t connected.'],
  ['failed', 'line 3: unknown command'],
  ['inactive', 'roundcube'],
] as const)('the page says why filters in the state %s have no effect', async (state, words) => {
  filters = { ...stored, state, otherScript: 'roundcube', problem: 'line 3: unknown command' }
  await show()
  expect(await screen.findByText(words, { exact: false })).toBeTruthy()
})

test('replacing a script of another program sends the same filters and says so', async () => {
  filters = { ...stored, state: 'inactive', otherScript: 'roundcube' }
  await show()
  await userEvent.click(await screen.findByRole('button', { name: /use these filters/i }))
  expect(sent).toMatchObject([{ replacesOther: true, rules: [{ name: 'Invoices' }, { name: 'News' }] }])
})
