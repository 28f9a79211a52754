import type { BlockerFnArgs } from '@tanstack/history'
import { useEffect, useEffectEvent, useState } from 'react'
import { useRouter } from './router-context.tsx'

export interface BlockedNavigation {
  proceed: () => void
  stay: () => void
}

interface Blocker {
  /** Whether navigating to this path needs confirmation. */
  blocks: (path: string) => boolean
  /** Whether closing the tab needs confirmation. */
  blocksClosing: () => boolean
}

/** Blocks navigations until confirmed; returns the pending one. */
export function useBlocker({ blocks, blocksClosing }: Blocker): BlockedNavigation | undefined {
  const router = useRouter()
  const [waiting, setWaiting] = useState<BlockedNavigation>()
  const decide = useEffectEvent(({ nextLocation }: BlockerFnArgs) => {
    if (!blocks(router.read(nextLocation).pathname)) return false
    return new Promise<boolean>((resolve) => {
      const answer = (isBlocked: boolean) => () => {
        setWaiting(undefined)
        resolve(isBlocked)
      }
      setWaiting({ proceed: answer(false), stay: answer(true) })
    })
  })
  const decideClosing = useEffectEvent(blocksClosing)
  useEffect(
    () =>
      router.history.block({ blockerFn: (args) => decide(args), enableBeforeUnload: () => decideClosing() }),
    [router],
  )
  return waiting
}
