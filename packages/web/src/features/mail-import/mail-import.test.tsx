// @vitest-environment happy-dom
import type { ImportReport } from '@gatehouse/contract/mail/mail-import'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { FolderChoice } from './folder-choice.tsx'
import { guessServer } from './guess-server.ts'
import { ImportPanel } from './import-panel.tsx'
import { type OldServer, type Preview, ServerForm } from './server-form.tsx'

const server: OldServer = {
  host: 'imap.old.test',
  port: 993,
  security: 'tls',
  login: 'jane@old.test',
  password: 'x',
}

const folder = { use: null, messages: 3, bytes: 2048, isIncluded: true } as const

const preview: Preview = {
  folders: [
    { ...folder, name: 'INBOX', path: 'INBOX', use: 'inbox', target: 'INBOX' },
    { ...folder, name: 'All', path: 'All Mail', target: 'All Mail', isIncluded: false },
  ],
  quota: { used: 0, limit: 1024 },
  mostBytes: 104_857_600,
}

const report: ImportReport = {
  ...{ id: '01890000-0000-7000-8000-000000000001', host: 'imap.old.test', port: 993, security: 'tls' },
  ...{ login: 'jane@old.test', state: 'failed', problem: 'quota', answer: 'Over quota' },
  ...{ created_at: '2026-03-10 12:00:00', ended_at: '2026-03-10 12:05:00', messages: 10, processed: 6 },
  ...{ copied: 4, existing: 1, skipped: 1, copiedBytes: 4096, rate: null, folder: null },
  folders: [
    { path: 'Gesendet', target: 'Sent', messages: 10, copied: 4, existing: 1, skipped: 1, isDone: false },
  ],
  skips: [
    { path: 'Gesendet', uid: 7, bytes: 2048, reason: 'refused', answer: 'Message contains NUL characters' },
  ],
}

const asked: { url: string; body: unknown }[] = []

async function answer(url: string, options?: RequestInit): Promise<Response> {
  asked.push({ url, body: typeof options?.body === 'string' ? JSON.parse(options.body) : null })
  if (url.endsWith('/preview')) return Response.json(preview)
  if (options?.method === 'POST') return Response.json({ status: 'success', message: 'Done', id: report.id })
  return Response.json(report)
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('mailimport')
})
beforeEach(() => vi.stubGlobal('fetch', answer))
afterEach(() => {
  cleanup()
  queryClient.clear()
  asked.length = 0
  vi.unstubAllGlobals()
})

test.each([
  ['jane@example.org', { host: 'imap.example.org' }],
  ['jane@GMAIL.com', { host: 'imap.gmail.com', note: 'app-password' }],
  ['jane@hotmail.fr', { note: 'unsupported' }],
])('the server of %s is guessed', (address, expected) => {
  expect(guessServer(address)).toMatchObject(expected)
})

test('no server is guessed without an address', () => {
  expect(guessServer('jane')).toBeUndefined()
})

test('the server is guessed from the address, and what it has is asked for', async () => {
  const found = vi.fn()
  await renderRouted(() => <ServerForm id="7" onPreview={found} />)
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText(/^Username/), 'jane@gmail.com')
  await user.type(screen.getByLabelText(/^Password/), 'secret')
  screen.getByText('This provider needs an app password')
  await user.click(screen.getByRole('button', { name: 'Show folders' }))
  await vi.waitFor(() => expect(found).toHaveBeenCalledOnce())
  expect(asked[0]).toMatchObject({
    url: expect.stringContaining('/api/v4/users/7/mail-imports/preview'),
    body: { login: 'jane@gmail.com', password: 'secret', host: 'imap.gmail.com', port: 993, security: 'tls' },
  })
})

test('the chosen folders are imported, and too much mail is pointed out', async () => {
  const closed = vi.fn()
  await renderRouted(() => (
    <QueryScope>
      <FolderChoice id="7" server={server} preview={preview} onClose={closed} />
    </QueryScope>
  ))
  const user = userEvent.setup()
  await screen.findByText('This doesn’t fit into the mailbox')
  const target = screen.getByLabelText(/^Target folder of INBOX/)
  await user.clear(target)
  await user.type(target, 'Old')
  await user.click(screen.getByRole('button', { name: 'Start import' }))
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
  expect(asked[0]?.body).toMatchObject({ folders: [{ name: 'INBOX', path: 'INBOX', target: 'Old' }] })
})

test('a report says what was copied and why something was skipped, and the import can be repeated', async () => {
  await renderRouted(() => (
    <QueryScope>
      <ImportPanel id="7" of={report} isBlocked={false} />
    </QueryScope>
  ))
  const user = userEvent.setup()
  await screen.findByText('The mailbox is full')
  screen.getByText(/4 messages copied.*1 was in the mailbox already.*1 was skipped/)
  await user.click(screen.getByRole('button', { name: 'Details' }))
  await screen.findByText(/Refused by this mailbox.*Message contains NUL characters/)
  screen.getByText('Gesendet → Sent')
  await user.click(screen.getByRole('button', { name: 'Import new messages' }))
  await user.type(await screen.findByLabelText(/^Password of jane@old.test/), 'secret')
  await user.click(screen.getByRole('button', { name: 'Start import' }))
  await vi.waitFor(() =>
    expect(asked).toContainEqual({ url: expect.stringMatching(/\/again$/), body: { password: 'secret' } }),
  )
})
