import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

export interface WaitButtonProps {
  label: string
  /** Formats the seconds left. */
  waiting: (seconds: number) => string
  /** Seconds between presses, and after mounting. */
  wait: number
  onPress: () => Promise<void>
}

/** Button for throttled actions, such as sending another mail. */
export function WaitButton({ label, waiting, wait, onPress }: WaitButtonProps) {
  const [{ end, now }, setTimes] = useState(() => waitFrom(Date.now(), wait))
  const left = Math.max(0, Math.ceil((end - now) / 1000))

  useEffect(() => {
    const timer = setInterval(() => {
      setTimes((times) => ({ ...times, now: Date.now() }))
      if (Date.now() >= end) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [end])

  const press = async () => {
    await onPress()
    setTimes(waitFrom(Date.now(), wait))
  }
  return (
    <Button onPress={press} disabled={left > 0}>
      {left > 0 ? waiting(left) : label}
    </Button>
  )
}

function waitFrom(now: number, seconds: number): { end: number; now: number } {
  return { end: now + seconds * 1000, now }
}
