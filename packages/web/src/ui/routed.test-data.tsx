import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'

/** Shows a component in a router of its own, which reads and writes queries as the application's does. */
export async function renderRouted(Screen: ComponentType, path = '/') {
  const root = createRootRoute()
  const any = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => (
      <main data-testid="screen">
        <Screen />
      </main>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([any]),
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
      return query.size > 0 ? `?${query}` : ''
    },
  })
  render(<RouterProvider router={router} />)
  await screen.findByTestId('screen')
  return { location: () => router.state.location.href, back: () => router.history.back() }
}
