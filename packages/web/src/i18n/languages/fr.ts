import type { Messages } from '@lingui/core'
import shell from '../messages/shell.fr.json'

export { shell }

export const areas = import.meta.glob<Messages>(['../messages/*.fr.json', '!../messages/shell.*.json'], {
  import: 'default',
})
