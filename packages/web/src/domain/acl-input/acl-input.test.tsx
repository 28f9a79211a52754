// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { formatAclEntry, parseAclEntry } from './acl.ts'
import { AclInput } from './acl-input.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('acl', 'addresses')
})
afterEach(cleanup)

const read = { value: 'read-only', label: 'Can view' }
const full = { value: 'full', label: 'Can manage' }

interface Options {
  initial?: string[]
  send?: (acl: string[]) => unknown
  userOnly?: boolean
  alone?: boolean
}

function Sample({ initial = [], send = () => {}, userOnly, alone }: Options) {
  const form = useForm({ initial: { acl: initial }, submit: ({ acl }) => send(acl) })
  return (
    <form {...form.props}>
      <AclInput
        {...form.list('acl')}
        label="Access"
        rights={alone ? [full] : [read, full]}
        userOnly={userOnly}
      />
      <button type="submit">Save</button>
      <output>{form.dirty ? 'dirty' : 'clean'}</output>
    </form>
  )
}

function setup(options: Options = {}) {
  const send = vi.fn(options.send)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Sample {...options} send={send} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), send }
}

const entry = () => screen.getByLabelText('Access: new entry')
const save = () => screen.getByRole('button', { name: 'Save' })

test('Enter adds an entry and resets the entry row', async () => {
  const { user, send } = setup()
  await user.type(entry(), 'jane@acme.test')
  await user.selectOptions(screen.getByLabelText('Access: right of the new entry'), 'full')
  await user.type(entry(), '{Enter}')
  expect(screen.getByLabelText<HTMLInputElement>('Access, entry 1').value).toBe('jane@acme.test')
  expect(screen.getByLabelText<HTMLSelectElement>('Access: right of the new entry').value).toBe('read-only')
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['jane@acme.test, full'])
})

test('everyone needs no address and can be added once', async () => {
  const { user, send } = setup()
  await user.selectOptions(screen.getByLabelText('Access: for whom'), 'anyone')
  expect(screen.queryByLabelText('Access: new entry')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Add' }))
  expect(screen.queryByLabelText('Access: for whom')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Right of Everyone'), 'full')
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['anyone, full'])
})

test('text typed but not added is an unsaved change and is saved with the rest', async () => {
  const { user, send } = setup({ initial: ['anyone, full'] })
  await user.type(entry(), 'ned@acme.test')
  await screen.findByText('dirty')
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['anyone, full', 'ned@acme.test, read-only'])
})

test('rows can be changed and removed', async () => {
  const { user, send } = setup({ initial: ['a@b.test, full', 'c@d.test, full'] })
  await user.type(screen.getByLabelText('Access, entry 2'), 'x')
  await user.selectOptions(screen.getByLabelText('Right of c@d.testx'), 'read-only')
  await user.click(screen.getByRole('button', { name: 'Remove a@b.test' }))
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['c@d.testx, read-only'])
})

test('server errors are shown at their rows, and the first one is focused', async () => {
  const errors = { acl: { 0: 'Wrong right.', 1: 'Nobody has this address.' } }
  const { user } = setup({
    initial: ['anyone, full', 'x@acme.test, full'],
    send: () => Promise.reject(Object.assign(new Error('refused'), { errors })),
  })
  await user.click(save())
  await screen.findByText('Nobody has this address.')
  expect(screen.getByLabelText('Access, entry 2').getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Right of Everyone')))
})

test('if only people can be named and there is one right, only addresses are requested', async () => {
  const { user, send } = setup({ userOnly: true, alone: true })
  expect(screen.queryByRole('combobox', { name: 'Access: for whom' })).toBeNull()
  expect(screen.queryByLabelText('Access: right of the new entry')).toBeNull()
  await user.type(entry(), 'jane@acme.test')
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['jane@acme.test, full'])
})

test('text that is not an address stays in the field, and nothing is sent', async () => {
  const { user, send } = setup()
  await user.type(entry(), 'ned{Enter}')
  await screen.findByText('Type a full address, such as jane@example.org.')
  await user.click(save())
  expect(send).not.toHaveBeenCalled()
  await user.type(entry(), '@acme.test{Enter}')
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['ned@acme.test, read-only'])
})

test.each([
  ['jane@acme.test, full', { who: 'jane@acme.test', right: 'full' }],
  ['anyone,read-only', { who: 'anyone', right: 'read-only' }],
  ['jane@acme.test', { who: 'jane@acme.test', right: '' }],
])('%j is parsed', (text, expected) => {
  expect(parseAclEntry(text)).toEqual(expected)
})

test('an entry is formatted as the server expects it', () => {
  expect(formatAclEntry({ who: ' jane@acme.test ', right: 'full' })).toBe('jane@acme.test, full')
})
