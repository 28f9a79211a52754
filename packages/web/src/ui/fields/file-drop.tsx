import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { type DragEvent, useId, useState } from 'react'
import { Icon } from '../icon.tsx'
import './file-drop.css'

/** Tables in common export formats. */
export const tableFiles = '.csv,.txt,.tsv,text/csv,text/plain'

export interface FileDropProps {
  label: string
  /** What may be dropped, or the name of the dropped file. */
  hint?: string
  /** Extensions and media types in the format of the browser's file chooser. */
  accept: string
  disabled?: boolean
  onFile: (file: File) => void
}

/** Drop zone with a file chooser for pointer and keyboard. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input inside does the same
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
          // Allow choosing the same file again after it was fixed.
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
