import { useT } from '../../../i18n/i18n.ts'
import { reportError } from '../../../platform/api/report-error.ts'
import { logUnexpected } from '../../../ui/log-unexpected.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { entriesOf, type Found, readDrop } from './read-drop.ts'
import { sendFound } from './uploads.ts'

/** Maximum number of files per action, limited by what browsers handle well. */
const most = 10_000

/** Uploads what was found in a drop or a chooser and reports what couldn't be read. */
export function useSend(): (found: Found, parent: string | null) => void {
  const t = useT()
  return (found, parent) => {
    if (found.unreadable.length > 0) {
      const names = found.unreadable.slice(0, 3).join(', ')
      toasts.warning(t('files.unreadable', { count: found.unreadable.length, names }))
    }
    if (found.files.length > most) {
      toasts.error(t('files.tooMany', { most }))
      return
    }
    sendFound(found, parent).catch(reportError)
  }
}

/** Uploads what is dropped on a folder; must be called synchronously in the drop handler. */
export function useDropped(): (transfer: DataTransfer, parent: string | null) => void {
  const send = useSend()
  return (transfer, parent) => {
    const taken = entriesOf(transfer)
    readDrop(taken).then((found) => send(found, parent), logUnexpected)
  }
}
