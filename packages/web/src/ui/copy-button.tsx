import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** How long the button says that it has copied, in milliseconds. */
const shownFor = 2000

export interface CopyButtonProps {
  text: string
  label: string
  /** What the button says for a moment after it has copied. */
  copied: string
  /** For browsers that do not let pages write to the clipboard. */
  onRefused: () => void
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text, label, copied, onRefused }: CopyButtonProps) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), shownFor)
    return () => clearTimeout(timer)
  }, [done])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
    } catch {
      onRefused()
    }
  }
  return (
    <>
      <Button icon={done ? IconCheck : IconCopy} onPress={copy}>
        {done ? copied : label}
      </Button>
      <span className="visually-hidden" role="status">
        {done ? copied : ''}
      </span>
    </>
  )
}
