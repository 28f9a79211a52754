import type { Messages } from '@lingui/core'
import shell from '../messages/shell.en.json'

export { shell }

export const areas = import.meta.glob<Messages>(['../messages/*.en.json', '!../messages/shell.*.json'], {
  import: 'default',
})
