import { createMemoryHistory } from '@tanstack/history'
import { render, screen } from '@testing-library/react'
import type { ComponentType, ReactNode } from 'react'
import { type Route, Router } from '../router/router.ts'
import { RouterView } from '../router/router-context.tsx'

/** Renders a component in its own router, which reads and writes queries like the application's. */
export async function renderRouted(Screen: ComponentType, path = '/') {
  const history = createMemoryHistory({ initialEntries: [path] })
  const InMain = () => (
    <main data-testid="screen">
      <Screen />
    </main>
  )
  const router = new Router<Route>({ routes: [{ path: '/$', Screen: InMain }], history })
  render(<RouterView router={router} Frame={Frame} Failed={Failed} />)
  // a busy machine takes longer for the first render
  await screen.findByTestId('screen', {}, { timeout: 10_000 })
  return { location: () => router.location.href, back: () => history.back() }
}

function Frame({ children }: { children: ReactNode }) {
  return children
}

function Failed({ error }: { error: unknown }): never {
  throw error
}
