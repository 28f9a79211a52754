import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { SetupPoller } from './setup-poller.ts'
import type { SetupAnswer, SetupProcess } from './setup-process.ts'

interface Options<A extends SetupAnswer> {
  process: SetupProcess
  load: (options: { refresh: boolean; signal: AbortSignal }) => Promise<A>
  onAnswer: (answer: A) => void
}

/** Polls a setup while mounted. */
export function useSetupPoller<A extends SetupAnswer>(options: Options<A>) {
  const [waiting, setWaiting] = useState(false)
  const poller = useRef<SetupPoller<A>>(undefined)
  const load = useEffectEvent(options.load)
  const onAnswer = useEffectEvent(options.onAnswer)
  const begin = useEffectEvent(() => poller.current?.start(options.process))

  useEffect(() => {
    const current = new SetupPoller<A>({
      load: (call) => load(call),
      onAnswer: (answer) => onAnswer(answer),
      onWaiting: setWaiting,
    })
    poller.current = current
    begin()
    const comeBack = () => document.hidden || current.now()
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      current.stop()
    }
  }, [])

  return { waiting, refresh: () => poller.current?.refresh() }
}
