import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { type DragEvent, useId, useState } from 'react'
import { Icon } from '../icon.tsx'
import './file-drop.css'

/** Tables as programs write them. */
export const tableFiles = '.csv,.txt,.tsv,text/csv,text/plain'

export interface FileDropProps {
  label: string
  /** What may be dropped, or the name of what was. */
  hint?: string
  /** Endings and media types as the chooser of the browser takes them. */
  accept: string
  disabled?: boolean
  onFile: (file: File) => void
}

/** A place to drop a file on, or to choose one by pointer or key. */
export function FileDrop({ label, hint, accept, disabled = false, onFile }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !disabled) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the field inside does the same
    <div
      className={over && !disabled ? 'file-drop file-drop-over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon of={IconUpload} size="large" />
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // The same file may be chosen again, once it has been put right.
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="small text-3">
          {hint}
        </p>
      )}
    </div>
  )
}
