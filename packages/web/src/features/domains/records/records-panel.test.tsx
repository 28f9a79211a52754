// @vitest-environment happy-dom
import type { DkimKeyStage, DnsRecord, DomainDetail } from '@gatehouse/contract/directory/domains'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { QueryScope } from '../../../platform/api/query.tsx'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { RecordsPanel } from './records-panel.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('domains')
})
afterEach(cleanup)

const value = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`

const dkim = (selector: string, stage: DkimKeyStage): DnsRecord => ({
  kind: 'dkim',
  type: 'TXT',
  name: `${selector}._domainkey.acme.test`,
  wanted: [value],
  found: [],
  state: 'missing',
  isOptional: false,
  key: { algorithm: 'rsa', stage },
})

/** Shows the panel of a confirmed domain with these records. */
async function show(...records: DnsRecord[]): Promise<void> {
  const dnsReport = { records, checkedAt: '2026-03-10 12:00:00', nextCheckAt: null }
  // the panel reads nothing else
  const domain = {
    ...{ id: 1, namespace: 'acme.test', displayName: 'acme.test', isConfirmed: true, mx: [] },
    dnsReport,
  } as unknown as DomainDetail
  await renderRouted(() => (
    <QueryScope>
      <RecordsPanel domain={domain} />
    </QueryScope>
  ))
}

test('a long key can be copied whole and in parts', async () => {
  const user = userEvent.setup()
  await show(dkim('one', 'signing'))
  const row = within(await screen.findByRole('row', { name: /DKIM RSA/ }))
  expect(row.getByText('one._domainkey')).toBeTruthy()
  await user.click(row.getByRole('button', { name: 'Copy expected value of DKIM RSA' }))
  expect(await navigator.clipboard.readText()).toBe(value)
  await user.click(row.getByRole('button', { name: 'Copy in quoted parts' }))
  expect(await navigator.clipboard.readText()).toBe(`"${value.slice(0, 255)}" "${value.slice(255)}"`)
})

test('a rotation shows both records and says what to do with them', async () => {
  await show(dkim('one', 'signing'), dkim('two', 'new'))
  expect(await screen.findByText('A DKIM key is being replaced.')).toBeTruthy()
  expect(screen.getByText(/Publish the new record/).textContent).toContain(
    'Keep the old one until it disappears here.',
  )
  expect(screen.getByText('DKIM RSA (new)')).toBeTruthy()
})

test('without a rotation there is no notice', async () => {
  await show(dkim('one', 'signing'))
  await screen.findByText('DKIM RSA')
  expect(screen.queryByText('A DKIM key is being replaced.')).toBeNull()
})
