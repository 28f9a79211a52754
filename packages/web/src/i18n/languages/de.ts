import type { Messages } from '@lingui/core'
import shell from '../messages/shell.de.json'

export { shell }

export const areas = import.meta.glob<Messages>(['../messages/*.de.json', '!../messages/shell.*.json'], {
  import: 'default',
})
