import { Button } from '../buttons/button.tsx'
import './save-bar.css'

export interface SaveBarProps {
  /** Accessible name of the bar. */
  label: string
  /** Number of changes. */
  count: string
  /** Names of the changes. */
  changes: string
  discard: string
  onDiscard: () => void
  save: string
  saving: string
  onSave: () => unknown
  busy: boolean
  /** Why the page can't be saved yet, such as a price that hasn't arrived. */
  reason?: string | undefined
}

/** The bar at the foot of a page that has unsaved changes. */
export function SaveBar(props: SaveBarProps) {
  const { label, count, changes, discard, onDiscard, save, saving, onSave, busy, reason } = props
  return (
    <section className="save-bar" aria-label={label}>
      <span className="save-bar-text" role="status">
        <b>{count}</b>
        <span className="save-bar-changes">: {changes}</span>
      </span>
      <Button variant="quiet" onPress={onDiscard} disabled={busy}>
        {discard}
      </Button>
      <Button className="save-bar-save" onPress={onSave} reason={reason} busy={busy} busyLabel={saving}>
        {save}
      </Button>
    </section>
  )
}
