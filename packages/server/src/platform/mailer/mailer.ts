import { createTransport, type SendMailOptions } from 'nodemailer'
import { type Clock, systemClock } from '../clock.ts'
import {
  InvalidMailError,
  isPermanentCode,
  MailerConfigError,
  MailServerError,
  RecipientsRefusedError,
} from './errors.ts'
import { type CheckedMail, checkMail, type MailMessage, type MailSender, mailbox } from './mail-message.ts'
import { Outbox, type OutboxEntry, type OutboxMail } from './outbox.ts'

export interface MailerOptions extends MailSender {
  /** `smtp://…` or `smtps://…`; if absent, e-mails go to the outbox folder. */
  smtpUrl?: string | undefined
  outboxFolder: string
  clock?: Clock
}

/** Sends e-mails, or stores them in a folder when no mail server is configured. */
export interface Mailer extends AsyncDisposable {
  /**
   * Sends one e-mail. Resolves with its Message-ID (or its outbox id) once the server has accepted it for every
   * recipient or the outbox has stored it; rejects with a `MailError`.
   */
  send(message: MailMessage): Promise<{ id: string }>
  /** The newest messages in the outbox; empty when a mail server is in use. */
  listOutbox(options: { limit: number }): Promise<OutboxEntry[]>
  readOutbox(id: string): Promise<OutboxMail | undefined>
  close(): Promise<void>
}

/** Delivers a validated message and returns its id. */
interface Delivery {
  deliver(mail: CheckedMail, sentAt: Date): Promise<string>
  close(): void
}

/** Creates the mailer. Fails on an invalid sender or server address, rather than on the first e-mail. */
export function createMailer({
  smtpUrl,
  outboxFolder,
  clock = systemClock,
  ...sender
}: MailerOptions): Mailer {
  checkSender(sender)
  const outbox = new Outbox(outboxFolder)
  const delivery = smtpUrl ? smtpDelivery(smtpUrl) : outboxDelivery(outbox)
  const close = async (): Promise<void> => delivery.close()
  return {
    async send(message) {
      return { id: await delivery.deliver(checkMail(message, sender), clock.now()) }
    },
    listOutbox: (options) => outbox.list(options),
    readOutbox: (id) => outbox.read(id),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function checkSender({ from, replyTo }: MailSender): void {
  try {
    mailbox(from)
    if (replyTo) mailbox(replyTo)
  } catch (cause) {
    throw new MailerConfigError('The sender of e-mails is not a valid address.', { cause })
  }
}

function outboxDelivery(outbox: Outbox): Delivery {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...noOutsideContent,
  })
  return {
    async deliver(mail, sentAt) {
      const { message } = await composer.sendMail(composed(mail, sentAt))
      if (!(message instanceof Uint8Array)) throw new InvalidMailError('The e-mail could not be composed.')
      return outbox.add(mail, message, sentAt)
    },
    close: () => composer.close(),
  }
}

function smtpDelivery(smtpUrl: string): Delivery {
  // Don't put the URL in the message: it contains the password.
  if (!/^smtps?:\/\/[^/]/i.test(smtpUrl) || !URL.canParse(smtpUrl)) {
    throw new MailerConfigError(
      'The address of the mail server must look like smtp://user:password@host:port.',
    )
  }
  const pool = createTransport({
    pool: true,
    url: smtpUrl,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    ...noOutsideContent,
  })
  return {
    async deliver(mail, sentAt) {
      const info = await pool.sendMail(composed(mail, sentAt)).catch((cause: unknown) => {
        throw deliveryError(cause)
      })
      if (info.rejected.length > 0) {
        const answers = info.rejectedErrors ?? []
        const permanent =
          answers.length > 0 && answers.every((answer) => isPermanentCode(answer.responseCode))
        throw new RecipientsRefusedError({ refused: info.rejected, accepted: info.accepted, permanent })
      }
      return info.messageId
    },
    close: () => pool.close(),
  }
}

/** Contents are plain strings; a path or URL in them is never opened. */
const noOutsideContent = { disableFileAccess: true, disableUrlAccess: true } as const

function composed({ calendar, ...mail }: CheckedMail, date: Date): SendMailOptions {
  return {
    ...mail,
    ...(calendar && { icalEvent: { method: calendar.method, content: calendar.text } }),
    date,
    envelope: {
      from: mail.from.address,
      to: [...mail.to, ...mail.cc].map(({ address }) => address),
    },
  }
}

function deliveryError(cause: unknown): Error {
  const code = property(cause, 'code')
  const responseCode = property(cause, 'responseCode')
  const answer = typeof responseCode === 'number' ? responseCode : undefined
  const refused = property(cause, 'rejected')
  if (Array.isArray(refused) && refused.length > 0) {
    return new RecipientsRefusedError({
      refused: refused.map(String),
      accepted: [],
      permanent: isPermanentCode(answer),
      cause,
    })
  }
  return new MailServerError({
    code: typeof code === 'string' ? code : 'UNKNOWN',
    responseCode: answer,
    cause,
  })
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
