import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** How long the copied message is shown, in milliseconds. */
const shownFor = 2000

export interface CopyButtonProps {
  text: string
  label: string
  /** Label shown briefly after copying. */
  copied: string
  /** Called if the browser denies access to the clipboard. */
  onRefused: () => void
  /** Icon only, beside the copied text; `label` is its accessible name. */
  compact?: boolean
  size?: 'small'
}

/** Copies a text to the clipboard and confirms it. */
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
