import { expect, test } from 'vitest'
import { readRefusal } from './refusal-line.ts'

const now = new Date('2026-03-10T12:00:00Z')
const read = (text: string) => readRefusal(`2026-03-10T11:59:58Z mx1 ${text}`, now)
const refused = {
  loggedAt: new Date('2026-03-10T11:59:58Z'),
  queueId: null,
  clientAddress: '192.0.2.7',
  sender: 'ann@elsewhere.test',
  recipient: 'jnae@acme.test',
}
const end = 'from=<Ann@elsewhere.test> to=<jnae@acme.test> proto=ESMTP helo=<mail.elsewhere.test>'

test.each([
  [
    `postfix/smtpd[12]: NOQUEUE: reject: RCPT from mail.elsewhere.test[192.0.2.7]: 550 5.1.1 <jnae@acme.test>: Recipient address rejected: User unknown in virtual mailbox table; ${end}`,
    { code: 550, status: '5.1.1', text: 'Recipient address rejected: User unknown in virtual mailbox table' },
  ],
  [
    `postfix/smtpd[12]: 4bTk6q2yzXz9: reject: RCPT from unknown[192.0.2.7]: 450 4.1.8 <Ann@elsewhere.test>: Sender address rejected: Domain not found; ${end}`,
    {
      ...{ queueId: '4bTk6q2yzXz9', code: 450, status: '4.1.8' },
      text: 'Sender address rejected: Domain not found',
    },
  ],
  [
    `postfix/smtpd[12]: NOQUEUE: reject: RCPT from unknown[192.0.2.7]: 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked; from=<> to=<jnae@acme.test> proto=SMTP helo=<x>`,
    { sender: '', code: 554, status: '5.7.1', text: 'Service unavailable; Client host [192.0.2.7] blocked' },
  ],
])('%s', (line, expected) => {
  expect(read(line)).toEqual({ ...refused, ...expected })
})

test.each([
  `postfix/smtpd[12]: NOQUEUE: reject: RCPT from unknown[192.0.2.7]: 450 4.7.1 <jnae@acme.test>: Recipient address rejected: Greylisted, please try again in a few minutes [G1]; ${end}`,
  'postfix/smtpd[12]: NOQUEUE: reject: CONNECT from unknown[192.0.2.7]: 554 5.7.1 Blocked; proto=SMTP',
  `postfix/smtpd[12]: NOQUEUE: warn: RCPT from unknown[192.0.2.7]: 550 5.1.1 No; ${end}`,
  `dovecot/smtpd[12]: NOQUEUE: reject: RCPT from unknown[192.0.2.7]: 550 5.1.1 No; ${end}`,
  'postfix/smtpd[12]: NOQUEUE: reject: RCPT from unknown[192.0.2.7]: 550 5.1.1 No; from=<a b> to=<c@d>',
  '',
])('is no refusal that has to be kept: %s', (line) => {
  expect(read(line)).toBeUndefined()
})
