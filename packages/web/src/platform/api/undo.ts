import { t } from '../../i18n/i18n.ts'
import { logUnexpected } from '../../ui/log-unexpected.ts'
import { offerUndo } from '../../ui/toasts/offer-undo.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { ApiError } from './api-error.ts'
import { reportFieldErrors } from './report-error.ts'

/** Takes an act back. What it answers is shown; its failure is that of `call`, which tells of it in a toast. */
export type Undo = () => Promise<{ message: string }>

/** Says what was done, with a button that takes it back. `reread` lets the screen follow, also when that has failed. */
export function tellDone(message: string, undo: Undo | undefined, reread: () => unknown): void {
  if (undo) offerUndo(message, t('words.undo'), () => takeBack(undo, reread))
  else toasts.success(message)
}

async function takeBack(undo: Undo, reread: () => unknown): Promise<void> {
  try {
    const { message } = await undo()
    toasts.success(message)
  } catch (error) {
    tellUndoFailed(error)
  }
  await Promise.resolve(reread()).catch(logUnexpected)
}

/** Adds what `call` could not say in its toast: there is no form whose fields could show it. */
export function tellUndoFailed(error: unknown): void {
  if (error instanceof ApiError && error.errors) reportFieldErrors(error)
  else logUnexpected(error)
}
