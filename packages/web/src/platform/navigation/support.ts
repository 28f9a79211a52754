import { canContactSupport, config } from '../config.ts'

/** Wherever a link leads here, the dialog opens. */
export const supportPath = '/support/contact'

let openForm = () => {}

/** Says what opens the form; the shell, which shows it, does. */
export function setSupportForm(open: () => void): void {
  openForm = open
}

/** Opens the form by which anybody can write to support; where there is none, the mail program. */
export function openSupport(): void {
  const address = config['app.support_email']
  if (canContactSupport()) openForm()
  else if (address) window.location.assign(`mailto:${address}`)
}
