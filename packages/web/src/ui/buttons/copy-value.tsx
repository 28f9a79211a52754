import { useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { toasts } from '../toasts/store.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import './copy-value.css'

/** A text that is longer is shown in part until somebody asks for all of it. */
const longest = 110

export interface CopyValueProps {
  text: string
  /** What it is, for readers: "Copy the value of …". */
  label: string
  /** The same in a form that is easier to read, such as in groups. */
  shown?: string
  /** In a frame of its own and always whole, rather than in a table. */
  boxed?: boolean
}

/** A piece of code, such as a DNS value, beside a button that copies it. */
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
