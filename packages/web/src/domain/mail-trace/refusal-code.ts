import { type MailReason, mailReasons } from '@gatehouse/contract/mail/mail-reasons'

const byCode = new Map(
  Object.entries(mailReasons).map(([reason, { code }]) => [code as string, reason as MailReason]), // its keys
)

/** Returns the reason of a code, or of a refusal text that ends with one, such as `550 5.7.1 Text [L5]`. */
export function reasonIn(text: string): MailReason | undefined {
  const plain = byCode.get(text.trim().toUpperCase())
  if (plain !== undefined) return plain
  // forwarding servers add text of their own
  const codes = [...text.toUpperCase().matchAll(/\[([A-Z]\d{1,2})\]/g)]
  return codes.map(([, code = '']) => byCode.get(code)).findLast((reason) => reason !== undefined)
}
