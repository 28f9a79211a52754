import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isForwarded } from '../http/callers/client-address.ts'
import { isLoopbackHost } from '../http/callers/loopback.ts'
import { plainAddress } from '../http/callers/network-list.ts'
import { NotFound } from '../http/errors.ts'
import type { Mailer } from './mailer.ts'
import { escapeHtml } from './templates/escape-html.ts'

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem;color:#15201e;background:#f3f5f3}
a{color:#0a6270}li{padding:.6rem .8rem;background:#fff;border-bottom:1px solid #dde2de;list-style:none}
ul{padding:0}small{color:#5c6864;display:block}pre{white-space:pre-wrap;background:#fff;padding:1rem;border:1px solid #dde2de}
iframe{width:100%;height:40rem;border:1px solid #dde2de;background:#fff}`

/**
 * Pages that show the messages of the outbox folder. For developers and the demo, never in production, and
 * only from a browser on the same machine: the messages contain codes that grant access to accounts.
 */
export function serveOutbox(fastify: FastifyInstance, mailer: Mailer): void {
  const local = {
    schema: { hide: true },
    onRequest: async (request: FastifyRequest) => {
      if (!isLocal(request)) throw new NotFound()
    },
  }
  fastify.get('/dev/outbox', local, async (_request, reply) => {
    const mails = await mailer.listOutbox({ limit: 100 })
    const rows = mails.map(
      (mail) =>
        `<li><a href="/dev/outbox/${encodeURIComponent(mail.id)}">${escapeHtml(mail.subject)}</a>
        <small>${escapeHtml(mail.to.map((to) => to.address).join(', '))} · ${escapeHtml(mail.sentAt)}</small></li>`,
    )
    const list = rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>No mail yet.</p>'
    return reply.headers(headers).send(document('Outbox', `<h1>Outbox</h1>${list}`))
  })

  fastify.get<{ Params: { id: string } }>('/dev/outbox/:id', local, async (request, reply) => {
    const mail = await mailer.readOutbox(request.params.id)
    if (mail === undefined) throw new NotFound()
    const html =
      mail.html === undefined
        ? ''
        : `<iframe sandbox title="Mail" src="/dev/outbox/${encodeURIComponent(mail.id)}/html"></iframe>`
    const head = `<p><a href="/dev/outbox">Outbox</a></p><h1>${escapeHtml(mail.subject)}</h1>
      <p>${escapeHtml(mail.to.map((to) => to.address).join(', '))}</p>`
    return reply
      .headers(headers)
      .send(document(mail.subject, `${head}<pre>${linked(mail.text)}</pre>${html}`))
  })

  fastify.get<{ Params: { id: string } }>('/dev/outbox/:id/html', local, async (request, reply) => {
    const mail = await mailer.readOutbox(request.params.id)
    if (mail?.html === undefined) throw new NotFound()
    return reply
      .headers({ ...headers, 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': framed })
      .send(mail.html)
  })
}

/**
 * Whether the request comes from this machine, uses a local host name and did not pass a proxy. A
 * DNS-rebinding page still sends its own host name. nginx without proxy settings forwards no header, but
 * speaks HTTP/1.0.
 */
function isLocal({ raw, hostname }: FastifyRequest): boolean {
  const neighbour = plainAddress(raw.socket.remoteAddress ?? '')
  const isHere = neighbour === '::1' || neighbour.startsWith('127.')
  return isHere && isLoopbackHost(hostname) && !isForwarded(raw) && raw.httpVersion !== '1.0'
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; img-src 'self'; frame-ancestors 'none'",
}

/** E-mails have inline styles and are shown in a sandbox that runs no scripts. */
const framed = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'"

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`
}

/** Turns URLs in the text into links, so that a link with a code can be clicked. */
function linked(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`)
}
