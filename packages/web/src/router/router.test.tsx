// @vitest-environment happy-dom
import { createMemoryHistory } from '@tanstack/history'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Link } from './link.tsx'
import { Redirect, type Route, Router } from './router.ts'
import { RouterView, useLocation, useParams } from './router-context.tsx'
import type { ScreenFailure } from './screen-boundary.tsx'
import { useBlocker } from './use-blocker.ts'

afterEach(cleanup)

function show(routes: readonly Route[], path: string, base = '') {
  const history = createMemoryHistory({ initialEntries: [base + path] })
  const router = new Router({ routes, base, history })
  render(<RouterView router={router} Frame={Frame} Failed={Failed} />)
  return router
}

function Frame({ children }: { children: ReactNode }) {
  return <main>{children}</main>
}

function Failed({ error, reset }: ScreenFailure) {
  return (
    <button type="button" onClick={reset}>
      {String(error)}
    </button>
  )
}

function Person() {
  return (
    <>
      <p>person {useParams().person}</p>
      <Link to="/people" search={{ page: 2 }}>
        all
      </Link>
      <Link to="/person">above</Link>
    </>
  )
}

function People() {
  return <p>page {useLocation().search.page ?? 1}</p>
}

const people: Route = { path: '/people', Screen: People }
const person: Route = { path: '/person/$person', Screen: Person }

test('a link opens another screen and is marked if it is current', async () => {
  const router = show([people, person], '/person/7', '/portal')
  await screen.findByText('person 7')
  expect(screen.getByText('all').getAttribute('href')).toBe('/portal/people?page=2')
  expect(screen.getByText('above').getAttribute('aria-current')).toBe('page')
  fireEvent.click(screen.getByText('all'), { ctrlKey: true })
  fireEvent.click(screen.getByText('all'))
  await screen.findByText('page 2')
  expect(router.location.href).toBe('/people?page=2')
  expect(router.history.length).toBe(2)
})

test('a check redirects without a history entry', async () => {
  const closed: Route = {
    ...people,
    check: () => {
      throw new Redirect({ to: '/person/1' })
    },
  }
  const router = show([closed, person], '/people')
  await screen.findByText('person 1')
  expect(router.history.length).toBe(1)
})

test('the last of several navigations wins, however long each takes', async () => {
  const arrived: (() => void)[] = []
  const load = () => new Promise<void>((resolve) => arrived.push(resolve))
  const router = show([people, { ...person, load }], '/people')
  await screen.findByText('page 1')
  const first = router.navigate({ to: '/person/1' })
  const second = router.navigate({ to: '/person/2' })
  await waitFor(() => expect(arrived).toHaveLength(2))
  act(() => arrived[1]?.())
  await screen.findByText('person 2')
  act(() => arrived[0]?.())
  await Promise.all([first, second])
  expect(screen.getByText('person 2')).toBeTruthy()
  expect(router.isPending.get()).toBe(false)
})

test('shows a failure instead of the screen until the next navigation', async () => {
  let isBroken = true
  const load = async () => {
    if (isBroken) throw new Error('no network')
  }
  const router = show([people, { ...person, load }], '/person/1')
  await screen.findByText('Error: no network')
  isBroken = false
  await act(() => router.recheck())
  await screen.findByText('person 1')
})

test('a navigation waits for a decision about unsaved changes', async () => {
  function Form() {
    const [isDirty, setDirty] = useState(true)
    const blocked = useBlocker({
      blocks: (path) => isDirty && path !== '/form',
      blocksClosing: () => isDirty,
    })
    return (
      <>
        <button type="button" onClick={() => setDirty(false)}>
          save
        </button>
        {blocked && (
          <>
            <button type="button" onClick={blocked.stay}>
              stay
            </button>
            <button type="button" onClick={blocked.proceed}>
              leave
            </button>
          </>
        )}
      </>
    )
  }
  const router = show([people, { path: '/form', Screen: Form }], '/form')
  await screen.findByText('save')
  await act(() => router.navigate({ to: '/people' }))
  fireEvent.click(await screen.findByText('stay'))
  await waitFor(() => expect(screen.queryByText('stay')).toBeNull())
  expect(router.location.pathname).toBe('/form')
  await act(() => router.navigate({ to: '/people' }))
  fireEvent.click(await screen.findByText('leave'))
  await screen.findByText('page 1')
})

test("a forced navigation doesn't prompt", async () => {
  function Form() {
    useBlocker({ blocks: () => true, blocksClosing: () => true })
    return <p>form</p>
  }
  const router = show([people, { path: '/form', Screen: Form }], '/form')
  await screen.findByText('form')
  await act(() => router.navigate({ to: '/people', ignoreBlocker: true }))
  await screen.findByText('page 1')
})
