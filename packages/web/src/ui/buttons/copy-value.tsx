import { useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { toasts } from '../toasts/store.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import './copy-value.css'

/** Longer texts are truncated until expanded. */
const longest = 110

export interface CopyValueProps {
  text: string
  /** Name of the value for screen readers: "Copy the value of …". */
  label: string
  /** More readable form of the text, such as in groups. */
  shown?: string
  /** In its own frame and never truncated, for use outside of tables. */
  boxed?: boolean
}

/** Code, such as a DNS value, with a copy button. */
export function CopyValue({ text, shown = text, label, boxed = false }: CopyValueProps) {
  const t = useT()
  const code = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isLong = !boxed && text.length > longest
  const classes = ['copy-value', boxed && 'copy-value-boxed', isLong && !isOpen && 'copy-value-clipped']

  const select = () => {
    setOpen(true)
    if (code.current) window.getSelection()?.selectAllChildren(code.current)
    toasts.info(t('copy.refused'))
  }

  return (
    <span className={classes.filter(Boolean).join(' ')}>
      <code ref={code}>{shown}</code>
      {isLong && (
        <Button
          variant="quiet"
          size="small"
          className="copy-value-more"
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'copy.less' : 'copy.more')}
        </Button>
      )}
      <CopyButton compact text={text} label={label} copied={t('words.copied')} onRefused={select} />
    </span>
  )
}
