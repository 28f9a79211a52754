import { headerLine, readReply, replyText } from '../connections/reply-text.ts'

/** What Postfix is to do (access(5)). Texts are cleaned when they are sent. */
export type PolicyAnswer =
  /** No opinion; the next restriction decides. */
  | { readonly action: 'dunno' }
  /** Accepts; later restrictions of the same list are skipped. */
  | { readonly action: 'permit' }
  | { readonly action: 'defer-if-permit' | 'hold' | 'discard'; readonly text: string }
  /** `550 5.7.1 Text` or `450 4.7.1 Text`. */
  | { readonly action: 'reply'; readonly reply: string }
  /** `Name: value`, inserted at the top. Later restrictions still decide. */
  | { readonly action: 'prepend'; readonly header: string }

/** Encodes an answer. Throws `InvalidAnswer` if the reply or header is none. */
export function encodePolicyAnswer(answer: PolicyAnswer): Buffer {
  return Buffer.from(`action=${actionText(answer)}\n\n`)
}

function actionText(answer: PolicyAnswer): string {
  switch (answer.action) {
    case 'dunno':
      return 'DUNNO'
    case 'permit':
      return 'OK'
    case 'defer-if-permit':
      return withText('DEFER_IF_PERMIT', answer.text)
    case 'hold':
      return withText('HOLD', answer.text)
    case 'discard':
      return withText('DISCARD', answer.text)
    case 'reply': {
      const { code, status, text } = readReply(answer.reply)
      return withText(`${code} ${status}`, text)
    }
    case 'prepend':
      return `PREPEND ${headerLine(answer.header)}`
  }
}

function withText(action: string, text: string): string {
  return `${action} ${replyText(text)}`.trimEnd()
}
