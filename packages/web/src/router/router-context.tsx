import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { useStore } from '../state/store.ts'
import type { Location } from './location.ts'
import type { Params } from './match.ts'
import type { Navigation, Route, Router, Shown } from './router.ts'
import { ScreenBoundary, type ScreenFailed } from './screen-boundary.tsx'
import { placeScroll, rememberScrolling } from './scroll.ts'

const RouterContext = createContext<Router | undefined>(undefined)
const ShownContext = createContext<Shown<Route> | undefined>(undefined)

interface RouterViewProps {
  router: Router
  /** Persists across screens. */
  Frame: (props: { children: ReactNode }) => ReactNode
  /** Rendered instead of a screen that failed. */
  Failed: ScreenFailed
}

/** Renders the screen of the current location. */
export function RouterView({ router, Frame, Failed }: RouterViewProps) {
  const [shown, setShown] = useState(router.shown.get)
  useEffect(() => {
    const follow = () => startTransition(() => setShown(router.shown.get()))
    const stops = [router.shown.subscribe(follow), rememberScrolling(), router.start()]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
  useLayoutEffect(() => {
    if (!shown) return
    router.arrive(shown)
    placeScroll(shown)
  }, [router, shown])
  const Screen = shown?.route?.Screen
  return (
    <RouterContext value={router}>
      <ShownContext value={shown}>
        <Frame>
          <ScreenBoundary Failed={Failed} shown={shown}>
            {Screen && <Screen />}
          </ScreenBoundary>
        </Frame>
      </ShownContext>
    </RouterContext>
  )
}

/** Returns the surrounding router. */
export function useRouter(): Router {
  const router = use(RouterContext)
  if (router === undefined) throw new Error('useRouter must be used inside a router')
  return router
}

/** Returns the function to navigate. */
export function useNavigate(): (navigation: Navigation) => Promise<void> {
  const router = useRouter()
  return (navigation) => router.navigate(navigation)
}

/** Returns the location of the current screen. */
export function useLocation(): Location {
  const router = useRouter()
  return use(ShownContext)?.location ?? router.location
}

/** Returns the route's path parameters. */
export function useParams(): Params {
  return use(ShownContext)?.params ?? {}
}

/** Returns the current route; undefined: none yet, or not found. */
export function useRoute(): Route | undefined {
  return use(ShownContext)?.route
}

/** Whether a screen is loading. */
export function useIsPending(): boolean {
  return useStore(useRouter().isPending)
}

/** Navigates on mount. */
export function Navigate(navigation: Pick<Navigation, 'to' | 'search' | 'replace'>) {
  const router = useRouter()
  const go = useEffectEvent(() => void router.navigate(navigation))
  useEffect(() => go(), [])
  return null
}
