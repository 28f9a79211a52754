// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastStore } from '../../ui/toasts/store.ts'
import { useRestore } from './use-restore.ts'

function Sample() {
  const restore = useRestore('group')
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

test('confirms a successful restore', async () => {
  await restore({ status: 'success', message: 'Restored.' }, 200)
  await waitFor(() => expect(toast()).toMatchObject({ type: 'success', message: 'Restored.' }))
})

test('shows why a restore failed, although there is no field for the error', async () => {
  await restore({ status: 'error', errors: { email: 'The address is taken by now.' } }, 422)
  await waitFor(() => expect(toast()?.message).toContain('The address is taken by now.'))
  expect(toast()?.type).toBe('error')
})
