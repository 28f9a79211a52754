import { Button } from '../buttons/button.tsx'
import './save-bar.css'

export interface SaveBarProps {
  /** Names the bar for readers. */
  label: string
  /** How many changes there are. */
  count: string
  /** Which ones. */
  changes: string
  discard: string
  onDiscard: () => void
  save: string
  saving: string
  busy: boolean
  /** It cannot be saved yet: the price of the changes is still to come. */
  waiting?: boolean
}

/** The bar at the foot of a form that has unsaved changes; its button submits the form around it. */
export function SaveBar({
  label,
  count,
  changes,
  discard,
  onDiscard,
  save,
  saving,
  busy,
  waiting,
}: SaveBarProps) {
  return (
    <section className="save-bar" aria-label={label}>
      <span className="save-bar-text" role="status">
        <b>{count}</b>
        <span className="save-bar-changes">: {changes}</span>
      </span>
      <Button variant="quiet" onPress={onDiscard} disabled={busy}>
        {discard}
      </Button>
      <Button
        type="submit"
        className="save-bar-save"
        disabled={waiting === true}
        busy={busy}
        busyLabel={saving}
      >
        {save}
      </Button>
    </section>
  )
}
