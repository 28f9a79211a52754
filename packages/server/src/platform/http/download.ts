import type { FastifyReply } from 'fastify'

/** An answer that is a file: saved by the browser under its name, never shown. */
export class Download {
  /** Media type with its character set. */
  readonly type: string
  /** ASCII, without quotes. */
  readonly name: string
  readonly body: string

  constructor(type: string, name: string, body: string) {
    this.type = type
    this.name = name
    this.body = body
  }

  /** Sets the headers and gives the body to send. */
  sendAs(reply: FastifyReply): string {
    void reply.type(this.type).header('content-disposition', `attachment; filename="${this.name}"`)
    return this.body
  }
}
