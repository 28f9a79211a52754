import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

export interface WaitButtonProps {
  label: string
  /** Says how many seconds are left. */
  waiting: (seconds: number) => string
  /** Seconds from one press to the next, and from its first appearance. */
  wait: number
  onPress: () => Promise<void>
}

/** A button for something that must not be asked for too often, such as another mail. */
export function WaitButton({ label, waiting, wait, onPress }: WaitButtonProps) {
  const [end, setEnd] = useState(() => Date.now() + wait * 1000)
  const left = useSecondsUntil(end)
  const press = async () => {
    await onPress()
    setEnd(Date.now() + wait * 1000)
  }
  return (
    <Button onPress={press} disabled={left > 0}>
      {left > 0 ? waiting(left) : label}
    </Button>
  )
}

function useSecondsUntil(end: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= end) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [end])
  return Math.max(0, Math.ceil((end - now) / 1000))
}
