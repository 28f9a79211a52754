import { createTransport } from 'nodemailer'

/** Delivers a message like a mail server that accepted it. */
export async function deliverByLmtp(port: number, to: string, subject: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, lmtp: true, secure: false, ignoreTLS: true })
  await transport.sendMail({
    envelope: { from: 'sender@elsewhere.test', to: [to] },
    raw: `From: sender@elsewhere.test\r\nSubject: ${subject}\r\n\r\ntext\r\n`,
  })
  transport.close()
}
