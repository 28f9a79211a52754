import { useEffect, useState } from 'react'

/** Milliseconds. */
const tick = 10_000

/** The time, often enough for words such as "a minute ago". */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tick)
    return () => clearInterval(timer)
  }, [])
  return now
}
