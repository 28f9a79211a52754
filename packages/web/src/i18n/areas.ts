import type dashboard from './messages/dashboard.en.json'
import type faq from './messages/faq.en.json'
import type later from './messages/later.en.json'
import type password from './messages/password.en.json'
import type payment from './messages/payment.en.json'
import type reset from './messages/reset.en.json'
import type setup from './messages/setup.en.json'
import type shell from './messages/shell.en.json'
import type signup from './messages/signup.en.json'
import type support from './messages/support.en.json'

/** Every message catalogue. A new area is a line here and four files in `messages/`. */
interface Catalogues {
  shell: typeof shell
  dashboard: typeof dashboard
  faq: typeof faq
  later: typeof later
  password: typeof password
  payment: typeof payment
  reset: typeof reset
  setup: typeof setup
  signup: typeof signup
  support: typeof support
}

export type Area = keyof Catalogues

/** The id of a message: any key of an English catalogue. */
export type MessageKey = { [A in Area]: Extract<keyof Catalogues[A], string> }[Area]
