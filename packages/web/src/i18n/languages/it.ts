import type { Messages } from '@lingui/core'
import shell from '../messages/shell.it.json'

export { shell }

export const areas = import.meta.glob<Messages>(['../messages/*.it.json', '!../messages/shell.*.json'], {
  import: 'default',
})
