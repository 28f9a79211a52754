import { InvalidAnswer } from '../connections/protocol-errors.ts'
import { replyText } from '../connections/reply-text.ts'
import { netstring } from './netstring.ts'

/** Bytes of a request or reply (Postfix, socketmap_table(5)). */
export const longestSocketmap = 100_000

/** The result of a look-up. `not-found` is final; `temp` and `timeout` make Postfix retry later. */
export type SocketmapAnswer =
  | { readonly status: 'ok'; readonly value: string }
  | { readonly status: 'not-found' }
  | { readonly status: 'temp' | 'timeout' | 'perm'; readonly reason: string }

/** Encodes an answer. Throws `InvalidAnswer` for a value that is empty, too long or has line breaks or NUL. */
export function encodeSocketmapAnswer(answer: SocketmapAnswer): Buffer {
  switch (answer.status) {
    case 'ok':
      return okReply(answer.value)
    case 'not-found':
      return netstring('NOTFOUND ')
    case 'temp':
      return netstring(`TEMP ${replyText(answer.reason)}`)
    case 'timeout':
      return netstring(`TIMEOUT ${replyText(answer.reason)}`)
    case 'perm':
      return netstring(`PERM ${replyText(answer.reason)}`)
  }
}

function okReply(value: string): Buffer {
  if (value === '' || /[\0\r\n]/.test(value)) throw new InvalidAnswer('not a value of a table')
  const reply = Buffer.from(`OK ${value}`)
  if (reply.length > longestSocketmap) throw new InvalidAnswer('value too long for socketmap')
  return netstring(reply)
}
