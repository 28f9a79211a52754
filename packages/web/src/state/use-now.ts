import { useEffect, useState } from 'react'

/** In milliseconds. */
const tick = 10_000

/** Returns the current time, updated often enough for texts such as "a minute ago". */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tick)
    return () => clearInterval(timer)
  }, [])
  return now
}
