import { t } from '../../i18n/i18n.ts'
import { logUnexpected } from '../../ui/log-unexpected.ts'
import { offerUndo } from '../../ui/toasts/offer-undo.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { ApiError } from './api-error.ts'
import { reportFieldErrors } from './report-error.ts'

/** Undoes an act and returns the message to show. `call` shows its errors in a toast. */
export type Undo = () => Promise<{ message: string }>

/** Shows a success message, with an Undo button if possible. `reread` refreshes the screen even if the undo failed. */
export function reportDone(message: string, undo: Undo | undefined, reread: () => unknown): void {
  if (undo) offerUndo(message, t('words.undo'), () => runUndo(undo, reread))
  else toasts.success(message)
}

async function runUndo(undo: Undo, reread: () => unknown): Promise<void> {
  try {
    const { message } = await undo()
    toasts.success(message)
  } catch (error) {
    reportUndoFailed(error)
  }
  await Promise.resolve(reread()).catch(logUnexpected)
}

/** Reports what `call` didn't show in its toast: without a form, no field can show the error. */
export function reportUndoFailed(error: unknown): void {
  if (error instanceof ApiError && error.errors) reportFieldErrors(error)
  else logUnexpected(error)
}
