// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderRouted } from '../routed.test-data.tsx'
import { useListPlace } from './list-place.ts'

const options = { sorts: ['name'], filters: { kind: ['big'], owner: ['me'] } } as const

function Screen() {
  const { place, go } = useListPlace(options)
  return (
    <>
      <button type="button" onClick={() => go((latest) => ({ filters: { ...latest.filters, kind: 'big' } }))}>
        Kind
      </button>
      <button type="button" onClick={() => go((latest) => ({ filters: { ...latest.filters, owner: 'me' } }))}>
        Owner
      </button>
      <button type="button" onClick={() => go({ search: 'jane' })}>
        Search
      </button>
      <output>{JSON.stringify([place.search, place.filters])}</output>
    </>
  )
}

afterEach(cleanup)

test('keeps every change when the next one comes before the first is rendered', async () => {
  await renderRouted(Screen)
  for (const name of ['Kind', 'Owner', 'Search']) fireEvent.click(screen.getByRole('button', { name }))
  await waitFor(() =>
    expect(screen.getByRole('status').textContent).toBe('["jane",{"kind":"big","owner":"me"}]'),
  )
})
