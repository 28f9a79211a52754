import { canContactSupport, config } from '../config.ts'

/** Links to this path open the dialog. */
export const supportPath = '/support/contact'

let openForm = () => {}

/** Registers the function that opens the form, provided by the shell. */
export function setSupportForm(open: () => void): void {
  openForm = open
}

/** Opens the support form; without one, the mail program. */
export function openSupport(): void {
  const address = config['app.support_email']
  if (canContactSupport()) openForm()
  else if (address) window.location.assign(`mailto:${address}`)
}
