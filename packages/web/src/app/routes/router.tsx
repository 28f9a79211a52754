import { basePath, variant } from '../../platform/config.ts'
import { errorPage } from '../../platform/error-page-store.ts'
import { prepareScreen } from '../../platform/navigation/lazy-screen.ts'
import { menuEntryAt } from '../../platform/navigation/menu.ts'
import { rememberTarget, setNavigator, takeTarget } from '../../platform/navigation/navigation.ts'
import type { RouteEntry } from '../../platform/navigation/route-entry.ts'
import { openSupport, supportPath } from '../../platform/navigation/support.ts'
import { auth } from '../../platform/session/auth.ts'
import { Redirect, type Route, Router } from '../../router/router.ts'
import { RoutedScreen } from '../screen.tsx'
import { enrolPath, ForbiddenError, guard } from './guards.ts'

interface AppRoute extends Route {
  /** Requires sign-in. */
  readonly needsLogin?: boolean
}

/** The parts of the router that depend on the variant. */
export interface RouterParts {
  routes: readonly RouteEntry[]
  /** Throws if the signed-in person may not use this variant. */
  admit?: () => Promise<void>
}

/** Builds the router of the page's variant. `ready` resolves once it is known who is signed in. */
export function buildRouter({ routes, admit }: RouterParts, ready: Promise<void>) {
  const here = variant()
  const entries = routes.filter((entry) => entry.variants.includes(here))

  const check = async (entry: RouteEntry, location: string) => {
    await ready
    if (entry.path === '/login' && auth.get().loggedIn) {
      throw new Redirect({ href: takeTarget() ?? '/dashboard' })
    }
    const verdict = guard(entry, auth.get(), here)
    if (verdict.kind === 'enrol') {
      rememberTarget(location)
      throw new Redirect({ to: enrolPath })
    }
    if (verdict.kind === 'enrolled') throw new Redirect({ href: takeTarget() ?? '/dashboard' })
    if (verdict.kind === 'login' && !(entry.silent && /[?&]prompt=none(&|$)/.test(location))) {
      rememberTarget(location)
      throw new Redirect({ to: '/login' })
    }
    if (verdict.kind === 'locked') throw new Redirect({ to: '/payment/status' })
    if (verdict.kind === 'forbidden') throw new ForbiddenError(verdict.perm)
    // users who must first set up a factor may make no other calls
    if (entry.auth && entry.path !== enrolPath) await admit?.()
  }

  const screens = entries.map(
    (entry): AppRoute => ({
      path: entry.path,
      title: entry.title,
      needsLogin: entry.auth,
      check: ({ pathname, searchStr }) => check(entry, pathname + searchStr),
      load: () => prepareScreen(entry),
      Screen: () => <RoutedScreen entry={entry} />,
    }),
  )

  const catchAll = screens.find(({ path }) => path === '/$')
  const home: AppRoute = {
    path: '/',
    title: catchAll?.title,
    check: async () => {
      await ready
      if (!menuEntryAt('/') || !catchAll) throw new Redirect({ to: '/dashboard' })
    },
    load: catchAll?.load,
    Screen: catchAll?.Screen ?? Nothing,
  }

  const contact: AppRoute = {
    path: supportPath,
    check: () => {
      openSupport()
      throw new Redirect({ to: '/support' })
    },
    Screen: Nothing,
  }

  const router = new Router<AppRoute>({
    routes: [home, contact, ...screens],
    base: basePath(),
    onArrive: () => errorPage.set(undefined),
  })

  setNavigator({
    go: (path) => void router.navigate({ href: path }),
    leaveFor: (path) => void router.navigate({ href: path, ignoreBlocker: true }),
    recheck: () => void router.recheck(),
    location: () => router.location.pathname + router.location.searchStr,
    needsLogin: () => router.shown.get()?.route?.needsLogin === true,
  })

  return router
}

function Nothing(): null {
  return null
}
