// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { auth } from '../../../platform/session/auth.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { SaveScope } from '../../../ui/form/save-scope.tsx'
import { Tabs } from '../../../ui/page/tabs.tsx'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { testDetail } from '../user.test-data.ts'
import { ConfigurationForms } from './configuration-forms.tsx'

const user = testDetail({
  config: {
    ...{ greylist_policy: false, itip_policy: true, externalsender_policy: false },
    ...{ externalsender_policy_domains: [], password_policy: null, max_password_age: null },
    ...{ greylist_enabled: null, itip_config: null, externalsender_config: null },
    ...{ guam_enabled: false, limit_geo: [], staff_access_policy: null, second_factor_policy: null },
  },
})

function Screen() {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }))
  const tabs = [
    { name: 'settings', label: 'Settings', content: () => <ConfigurationForms user={user} /> },
    { name: 'personal', label: 'Personal', content: () => <p>Personal data</p> },
  ]
  return (
    <QueryClientProvider client={client}>
      <SaveScope>
        <Tabs label="Parts" tabs={tabs} />
      </SaveScope>
    </QueryClientProvider>
  )
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('usersettings')
})
beforeEach(() => {
  auth.set({ loggedIn: true, user: testUser() })
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const greylisting = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /Greylisting/ })
const button = (name: string) => screen.getByRole('button', { name })

test('another tab opens at once while nothing has changed', async () => {
  await renderRouted(Screen)
  await userEvent.click(screen.getByRole('tab', { name: 'Personal' }))
  await screen.findByText('Personal data')
})

test('leaving the tab with unsaved changes asks, and staying keeps them', async () => {
  await renderRouted(Screen)
  await userEvent.selectOptions(greylisting(), 'on')
  await userEvent.click(screen.getByRole('tab', { name: 'Personal' }))
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await userEvent.click(button('Stay here'))
  expect(greylisting().value).toBe('on')
  await userEvent.click(screen.getByRole('tab', { name: 'Personal' }))
  await screen.findByRole('dialog')
  await userEvent.click(button('Leave and discard'))
  await screen.findByText('Personal data')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
