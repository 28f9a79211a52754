// @vitest-environment happy-dom

import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastStore } from '../../ui/toasts/store.ts'
import type { Kind } from './kind.ts'
import { useRestore } from './use-restore.ts'

const kind: Kind = {
  name: 'distlist',
  title: 'section.distlists',
  icon: IconList,
  list: '/distlists',
  page: '/distlist',
  permission: 'distlists',
  skuType: 'group',
  objectType: 'group',
  reads: ['GET /api/v4/groups'],
  remove: () => Promise.reject(new Error('not asked for')),
  restore: (id) => call('POST /api/v4/groups/{id}/restore', { params: { id: String(id) }, body: {} }),
}

function Sample() {
  const restore = useRestore(kind)
  return <Button onPress={() => restore(7)}>Restore</Button>
}

beforeAll(() => activateLanguage('en'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  toastStore.set([])
})

async function restore(answer: object, status: number) {
  vi.stubGlobal('fetch', async () => Response.json(answer, { status }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Sample />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Restore' }))
}

const toast = () => toastStore.get()[0]

test('what is restored says so', async () => {
  await restore({ status: 'success', message: 'It is back.' }, 200)
  await waitFor(() => expect(toast()).toMatchObject({ type: 'success', message: 'It is back.' }))
})

test('what cannot be restored says why, though there is no field for it', async () => {
  await restore({ status: 'error', errors: { email: 'The address is taken by now.' } }, 422)
  await waitFor(() => expect(toast()?.message).toContain('The address is taken by now.'))
  expect(toast()?.type).toBe('error')
})
