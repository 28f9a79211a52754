import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { basePath, variant } from '../../platform/config.ts'
import { errorPage } from '../../platform/error-page-store.ts'
import { prepareScreen } from '../../platform/navigation/lazy-screen.ts'
import { menuEntryAt } from '../../platform/navigation/menu.ts'
import { rememberTarget, setNavigator, takeTarget } from '../../platform/navigation/navigation.ts'
import type { RouteEntry } from '../../platform/navigation/route-entry.ts'
import { openSupport, supportPath } from '../../platform/navigation/support.ts'
import { auth } from '../../platform/session/auth.ts'
import { RoutedScreen } from '../screen.tsx'
import { RouteError } from '../shell/route-error.tsx'
import { Shell } from '../shell/shell.tsx'
import { enrolPath, ForbiddenError, guard } from './guards.ts'

/** What a variant brings to the router. */
export interface RouterParts {
  routes: readonly RouteEntry[]
  /** Throws when whoever is signed in is no person for this variant. */
  admit?: () => Promise<void>
}

/** Builds the router of this page's variant. `ready` resolves when it is known who is signed in. */
export function buildRouter({ routes, admit }: RouterParts, ready: Promise<void>) {
  const here = variant()
  const root = createRootRoute({ errorComponent: RouteError })
  const entries = routes.filter((entry) => entry.variants.includes(here))

  const check = async (entry: RouteEntry, location: string) => {
    await ready
    if (entry.path === '/login' && auth.get().loggedIn) {
      throw redirect({ href: takeTarget() ?? '/dashboard', replace: true })
    }
    const verdict = guard(entry, auth.get(), here)
    if (verdict.kind === 'enrol') {
      rememberTarget(location)
      throw redirect({ to: enrolPath, replace: true })
    }
    if (verdict.kind === 'enrolled') throw redirect({ href: takeTarget() ?? '/dashboard', replace: true })
    if (verdict.kind === 'login' && !(entry.silent && /[?&]prompt=none(&|$)/.test(location))) {
      rememberTarget(location)
      throw redirect({ to: '/login', replace: true })
    }
    if (verdict.kind === 'locked') throw redirect({ to: '/payment/status', replace: true })
    if (verdict.kind === 'forbidden') throw new ForbiddenError(verdict.perm)
    // who has to set up a factor first may ask for nothing else
    if (entry.auth && entry.path !== enrolPath) await admit?.()
  }

  const screens = entries.map((entry) =>
    createRoute({
      getParentRoute: () => root,
      path: entry.path,
      staticData: { entry },
      beforeLoad: ({ location }) => check(entry, location.pathname + location.searchStr),
      loader: () => prepareScreen(entry),
      component: () => <RoutedScreen entry={entry} />,
      errorComponent: RouteError,
    }),
  )

  const catchAll = entries.find((entry) => entry.path === '/$')
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: async () => {
      await ready
      if (!menuEntryAt('/') || !catchAll) throw redirect({ to: '/dashboard', replace: true })
    },
    loader: () => catchAll && prepareScreen(catchAll),
    component: () => catchAll && <RoutedScreen entry={catchAll} />,
    errorComponent: RouteError,
  })

  const contact = createRoute({
    getParentRoute: () => root,
    path: supportPath,
    beforeLoad: () => {
      openSupport()
      throw redirect({ to: '/support', replace: true })
    },
  })

  const router = createRouter({
    routeTree: root.addChildren([home, contact, ...screens]),
    basepath: basePath() || '/',
    scrollRestoration: true,
    defaultPreload: false,
    InnerWrap: ({ children }) => <Shell>{children}</Shell>,
    // Query values stay what they are in the address; the default would write strings as JSON.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: writeSearch,
  })

  router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
    if (hrefChanged) errorPage.set(undefined)
  })

  setNavigator({
    go: (path) => void router.navigate({ href: path }),
    leaveFor: (path) => void router.navigate({ href: path, ignoreBlocker: true }),
    recheck: () => void router.invalidate(),
    location: () => router.state.location.pathname + router.state.location.searchStr,
    needsLogin: () => router.state.matches.some((match) => match.staticData.entry?.auth),
  })

  return router
}

function writeSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    entry?: RouteEntry
  }
}
