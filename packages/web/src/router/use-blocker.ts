import type { BlockerFnArgs } from '@tanstack/history'
import { useEffect, useEffectEvent, useState } from 'react'
import { useRouter } from './router-context.tsx'

export interface BlockedNavigation {
  proceed: () => void
  stay: () => void
}

interface Blocker {
  /** Whether leaving for this path needs a decision. */
  blocks: (path: string) => boolean
  /** Whether closing the tab needs one. */
  blocksClosing: () => boolean
}

/** Holds navigations until somebody decides; answers with the one that waits. */
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
