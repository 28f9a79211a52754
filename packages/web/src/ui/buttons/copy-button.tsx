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
  /** Shows its icon only, beside what it copies; `label` is its name. */
  compact?: boolean
  size?: 'small'
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text, label, copied, onRefused, compact = false, size }: CopyButtonProps) {
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
      {compact ? (
        <Button
          variant="quiet"
          size="small"
          icon={done ? IconCheck : IconCopy}
          label={done ? undefined : label}
          onPress={copy}
        >
          {done ? copied : undefined}
        </Button>
      ) : (
        <Button icon={done ? IconCheck : IconCopy} size={size} onPress={copy}>
          {done ? copied : label}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {done ? copied : ''}
      </span>
    </>
  )
}
