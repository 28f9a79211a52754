import { toasts } from './store.ts'

/** How long an action can be undone, in milliseconds. */
const undoTime = 12_000

/** Says what was done, with a button that undoes it. `undo` tells how that went and does not throw. */
export function offerUndo(message: string, label: string, undo: () => unknown): void {
  const onPress = () => {
    toast.close()
    undo()
  }
  const toast = toasts.success(message, { timeout: undoTime, actions: [{ label, onPress }] })
}
