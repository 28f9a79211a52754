// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { ListInput } from '../fields/list-input.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Tabs } from '../page/tabs.tsx'
import { renderRouted } from '../routed.test-data.tsx'
import { SavePanel, usePanelForm } from './save-panel.tsx'
import { SaveScope, useSaveWait } from './save-scope.tsx'
import { type Form, useForm } from './use-form.ts'

interface MailValues {
  subject: string
  domains: string[]
}

const saveName = vi.fn<(name: string) => unknown>()
const saveMail = vi.fn<(values: MailValues) => unknown>()

class Refusal extends Error {
  readonly errors: Record<string, string>

  constructor(errors: Record<string, string>) {
    super('refused')
    this.errors = errors
  }
}

function useForms() {
  const name: Form<{ name: string }> = useForm({
    initial: { name: 'Team' },
    submit: async (values) => {
      await saveName(values.name)
      name.reset(values)
    },
  })
  const mail: Form<MailValues> = useForm<MailValues>({
    initial: { subject: 'Hello', domains: [] },
    submit: async (values) => {
      await saveMail(values)
      mail.reset(values)
    },
  })
  usePanelForm(name, 'Profile', 'profile')
  usePanelForm(mail, 'Mail', 'mail')
  return { name, mail }
}

function ProfilePanel({ form }: { form: Form<{ name: string }> }) {
  return (
    <SavePanel form={form} title="Profile">
      <TextField {...form.field('name')} label="Name" required />
    </SavePanel>
  )
}

function MailPanel({ form }: { form: Form<MailValues> }) {
  return (
    <SavePanel form={form} title="Mail">
      <TextField {...form.field('subject')} label="Subject" />
      <ListInput {...form.list('domains')} label="Domains" />
    </SavePanel>
  )
}

function Panels() {
  const { name, mail } = useForms()
  return (
    <>
      <ProfilePanel form={name} />
      <MailPanel form={mail} />
    </>
  )
}

function TabbedPanels() {
  const { name, mail } = useForms()
  return (
    <Tabs
      label="Parts"
      tabs={[
        { name: 'profile', label: 'Profile', content: () => <ProfilePanel form={name} /> },
        { name: 'mail', label: 'Mail', content: () => <MailPanel form={mail} /> },
      ]}
    />
  )
}

function Waiting() {
  useSaveWait('The price is on its way')
  return <Panels />
}

const open = async (Content: () => React.ReactNode) => {
  await renderRouted(() => (
    <SaveScope>
      <Content />
    </SaveScope>
  ))
  return userEvent.setup()
}

const save = () => screen.getByRole('button', { name: 'Save' })
const bar = () => screen.queryByRole('region', { name: 'Unsaved changes' })
const barText = () => bar()?.querySelector('[role="status"]')?.textContent
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('words')
})
beforeEach(() => {
  saveName.mockReset()
  saveMail.mockReset()
})
afterEach(cleanup)

test('the bar appears with the first change and lists the panels with the number of changes', async () => {
  const user = await open(Panels)
  expect(bar()).toBeNull()
  await user.type(field('Name'), '!')
  expect(barText()).toBe('1 unsaved change: Profile')
  await user.type(field('Subject'), '!')
  await user.type(field('Domains: new entry'), 'a.test')
  expect(barText()).toBe('3 unsaved changes: Profile, Mail (2)')
  expect(screen.getAllByRole('button', { name: 'Save' })).toHaveLength(1)
})

test('one click saves every changed panel, including pending list entries, and hides the bar', async () => {
  const user = await open(Panels)
  await user.type(field('Name'), '!')
  await user.type(field('Domains: new entry'), 'a.test')
  await user.click(save())
  await waitFor(() => expect(bar()).toBeNull())
  expect(saveName).toHaveBeenCalledExactlyOnceWith('Team!')
  expect(saveMail).toHaveBeenCalledExactlyOnceWith({ subject: 'Hello', domains: ['a.test'] })
})

test('unchanged panels are not sent', async () => {
  const user = await open(Panels)
  await user.type(field('Subject'), '!')
  await user.click(save())
  await waitFor(() => expect(bar()).toBeNull())
  expect(saveName).not.toHaveBeenCalled()
})

test('Enter in a field saves all panels', async () => {
  const user = await open(Panels)
  await user.type(field('Subject'), '!')
  await user.type(field('Name'), '!{Enter}')
  await waitFor(() => expect(bar()).toBeNull())
  expect(saveName).toHaveBeenCalledTimes(1)
  expect(saveMail).toHaveBeenCalledTimes(1)
})

test('Tab moves from the last field to Discard and Save', async () => {
  const user = await open(Panels)
  await user.type(field('Name'), '!')
  screen.getByRole('button', { name: 'Add' }).focus()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Discard')
  await user.tab()
  expect(document.activeElement).toBe(save())
})

test('a rejected panel shows the error at its field and stays unsaved; the other panel is saved', async () => {
  saveName.mockRejectedValue(new Refusal({ name: 'Taken.' }))
  const user = await open(Panels)
  await user.type(field('Name'), '!')
  await user.type(field('Subject'), '!')
  await user.click(save())
  await screen.findByText('Taken.')
  await waitFor(() => expect(barText()).toBe('1 unsaved change: Profile'))
  expect(saveMail).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(document.activeElement).toBe(field('Name')))
})

test('if two panels are rejected, the first gets the focus', async () => {
  saveName.mockRejectedValue(new Refusal({ name: 'Taken.' }))
  saveMail.mockRejectedValue(new Refusal({ subject: 'Too short.' }))
  const user = await open(Panels)
  await user.type(field('Name'), '!')
  await user.type(field('Subject'), '!')
  await user.click(save())
  await screen.findByText('Too short.')
  await waitFor(() => expect(document.activeElement).toBe(field('Name')))
})

test('an empty required field is reported without a request', async () => {
  const user = await open(Panels)
  await user.clear(field('Name'))
  await user.click(save())
  expect(await screen.findByText('Fill in this field.')).toBeTruthy()
  expect(saveName).not.toHaveBeenCalled()
})

test('Discard resets all panels', async () => {
  const user = await open(Panels)
  await user.type(field('Name'), '!')
  await user.type(field('Domains: new entry'), 'a.test')
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect(bar()).toBeNull()
  expect([field('Name').value, field('Domains: new entry').value]).toEqual(['Team', ''])
})

test('a second click while saving sends nothing', async () => {
  let finish = () => {}
  saveName.mockImplementation(() => new Promise<void>((resolve) => (finish = resolve)))
  const user = await open(Panels)
  await user.type(field('Name'), '!')
  await user.click(save())
  await user.type(field('Name'), '{Enter}')
  expect(saveName).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('button', { name: /Saving/ }).getAttribute('aria-busy')).toBe('true')
  finish()
  await waitFor(() => expect(bar()).toBeNull())
})

test('panels on other tabs are saved too', async () => {
  const user = await open(TabbedPanels)
  await user.type(field('Name'), '!')
  await user.click(screen.getByRole('tab', { name: 'Mail' }))
  await screen.findByLabelText('Subject')
  await user.type(field('Subject'), '!')
  expect(barText()).toBe('2 unsaved changes: Profile, Mail')
  await user.click(save())
  await waitFor(() => expect(bar()).toBeNull())
  expect(saveName).toHaveBeenCalledExactlyOnceWith('Team!')
  expect(screen.getByRole('tab', { name: 'Mail' }).getAttribute('aria-selected')).toBe('true')
})

test('opens the tab of a rejected panel and focuses its error', async () => {
  saveName.mockRejectedValue(new Refusal({ name: 'Taken.' }))
  const user = await open(TabbedPanels)
  await user.type(field('Name'), '!')
  await user.click(screen.getByRole('tab', { name: 'Mail' }))
  await screen.findByLabelText('Subject')
  await user.click(save())
  await screen.findByText('Taken.')
  expect(screen.getByRole('tab', { name: 'Profile' }).getAttribute('aria-selected')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(field('Name')))
})

test('does the same for errors found in the browser', async () => {
  saveName.mockImplementation(() => {
    throw new Refusal({})
  })
  const user = await open(TabbedPanels)
  await user.type(field('Name'), '!')
  await user.click(screen.getByRole('tab', { name: 'Mail' }))
  await screen.findByLabelText('Subject')
  await user.click(save())
  await screen.findByLabelText('Name')
  expect(barText()).toBe('1 unsaved change: Profile')
})

test('the reason is shown beside the button while saving is disabled', async () => {
  const user = await open(Waiting)
  await user.type(field('Name'), '!{Enter}')
  expect(save()).toHaveProperty('disabled', true)
  const reason = document.getElementById(save().getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe('The price is on its way')
  expect(saveName).not.toHaveBeenCalled()
})
