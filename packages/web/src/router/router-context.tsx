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
  /** Stays while screens change. */
  Frame: (props: { children: ReactNode }) => ReactNode
  /** Shown in the place of a screen that failed. */
  Failed: ScreenFailed
}

/** Shows the screen of the current address. */
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

/** The router around this component. */
export function useRouter(): Router {
  const router = use(RouterContext)
  if (router === undefined) throw new Error('useRouter must be used inside a router')
  return router
}

/** Goes to another address. */
export function useNavigate(): (navigation: Navigation) => Promise<void> {
  const router = useRouter()
  return (navigation) => router.navigate(navigation)
}

/** The address of the screen that is shown. */
export function useLocation(): Location {
  const router = useRouter()
  return use(ShownContext)?.location ?? router.location
}

/** What stands in the path at the places that the route names. */
export function useParams(): Params {
  return use(ShownContext)?.params ?? {}
}

/** The route that is shown; undefined: none yet, or no route has this path. */
export function useRoute(): Route | undefined {
  return use(ShownContext)?.route
}

/** Whether a screen is on its way. */
export function useIsPending(): boolean {
  return useStore(useRouter().isPending)
}

/** Goes somewhere as soon as it is shown. */
export function Navigate(navigation: Pick<Navigation, 'to' | 'search' | 'replace'>) {
  const router = useRouter()
  const go = useEffectEvent(() => void router.navigate(navigation))
  useEffect(() => go(), [])
  return null
}
