import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../platform/db/database.ts'
import type { RequestFacts } from '../../../platform/http/call.ts'
import { NotFound } from '../../../platform/http/errors.ts'
import type { FeatureSettings } from '../../../platform/settings/feature-settings.ts'
import { readXmlText, UnreadableXml } from '../../../platform/xml/read-xml.ts'
import { element, writeXml, type XmlElement } from '../../../platform/xml/write-xml.ts'
import { readCredentials } from '../../sign-in/hooks/basic-hook.ts'
import type { MailSignIn } from '../../sign-in/mail-sign-in.ts'
import type { Outcomes } from '../../sign-in/outcomes.ts'
import { readBook } from '../address-book-store.ts'
import { type Card, cardOf } from '../vcard.ts'
import { declarations } from './names.ts'
import { type Report, readPropfind, readReport } from './requests.ts'
import {
  type Asked,
  bookPath,
  bookResource,
  cardResource,
  homePath,
  homeResource,
  missingResponse,
  principalPath,
  principalResource,
  type Reader,
  type Resource,
  responseOf,
  root,
  rootResource,
} from './resources.ts'

export interface CardDavParts {
  readonly config: Pick<FeatureSettings, 'APP_WITH_USER_SEARCH'>
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
  readonly db: Db
  readonly mail: MailSignIn
  readonly outcomes: Outcomes
}

interface Member extends Reader {
  readonly id: number
}

/** Bytes; a list of cards names each of them. */
const bodyLimit = 4 * 1024 * 1024
const hidden = { schema: { hide: true } } as const
const capabilities = { dav: '1, 3, addressbook', allow: 'OPTIONS, GET, HEAD, PROPFIND, REPORT' } as const

/**
 * The account's address book for mail programs: a read-only CardDAV server (RFC 6352). Clients sign in like those of
 * calendars, with an app password if the user has a second factor.
 */
export function serveCardDav(parts: CardDavParts): void {
  if (!parts.config.APP_WITH_USER_SEARCH) return
  const { fastify, facts } = parts
  fastify.addHttpMethod('PROPFIND', { hasBody: true })
  fastify.addHttpMethod('REPORT', { hasBody: true })
  void fastify.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    child.addHook('onRequest', async (request) => {
      if (facts(request).variant !== 'user') throw new NotFound()
    })
    // the server ignores slashes at the end of a path, so the second alone would not match the root
    for (const url of [root.slice(0, -1), `${root}*`]) serveAt(parts, child, url)
  })
}

function serveAt(parts: CardDavParts, fastify: FastifyInstance, url: string): void {
  const add = (method: string | string[], answer: Answer) =>
    fastify.route({ method, url, ...hidden, bodyLimit, handler: forMember(parts, answer) })
  fastify.options(url, hidden, (_request, reply) => reply.headers(capabilities).send(''))
  add('PROPFIND', answerPropfind)
  add('REPORT', answerReport)
  add('GET', answerGet)
  add(['PUT', 'DELETE'], refuseChange)
}

const refuseChange: Answer = async (_parts, _member, _request, reply) =>
  sendXml(reply.code(403), element('d:error', [element('d:need-privileges', '')], declarations))

type Answer = (
  parts: CardDavParts,
  member: Member,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** Signs the caller in, and answers bodies that aren't XML with 400. */
function forMember(parts: CardDavParts, answer: Answer) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const member = await signIn(parts, request, reply)
    if (member === undefined) return reply
    try {
      return await answer(parts, member, request, reply)
    } catch (error) {
      if (error instanceof UnreadableXml) return reply.code(400).send('')
      throw error
    }
  }
}

async function signIn(
  { facts, mail, outcomes }: CardDavParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Member | undefined> {
  const { ip, t } = facts(request)
  const refuse = (status: 401 | 503) => {
    if (status === 401) reply.header('www-authenticate', 'Basic realm="Address book", charset="UTF-8"')
    void reply.code(status).send('')
    return undefined
  }
  try {
    const credentials = readCredentials(request.headers)
    if (credentials === undefined || credentials.secret === '') return refuse(401)
    const user = await mail.signIn({ ...credentials, services: ['dav'], ip, isInternal: false })
    outcomes.accept('dav', user, ip)
    return { id: user.id, email: user.email, bookName: t('addressbook.name') }
  } catch (error) {
    return refuse(outcomes.read(error, 'dav', { ip }) === 'later' ? 503 : 401)
  }
}

async function answerPropfind(
  { db }: CardDavParts,
  member: Member,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const depth = request.headers.depth
  // RFC 4918 §9.1: without the header, or with `infinity`, everything below would be asked for
  if (depth !== '0' && depth !== '1') {
    return sendXml(
      reply.code(403),
      element('d:error', [element('d:propfind-finite-depth', '')], declarations),
    )
  }
  const asked = readPropfind(textOf(request))
  const found = await resourcesAt(pathOf(request), { depth, member, cards: () => cardsOf(db, member) })
  return sendResources(reply, found, asked)
}

interface Place {
  readonly depth: '0' | '1'
  readonly member: Member
  readonly cards: () => Promise<readonly Card[]>
}

/** The resource at a path and, with depth 1, those directly below. Throws NotFound. */
async function resourcesAt(path: string, { depth, member, cards }: Place): Promise<Resource[]> {
  const isDeep = depth === '1'
  switch (path) {
    case root:
      return [rootResource(), ...(isDeep ? [principalResource(member), homeResource()] : [])]
    case principalPath:
      return [principalResource(member)]
    case homePath:
      return [homeResource(), ...(isDeep ? [bookResource(member, await cards())] : [])]
    case bookPath: {
      const all = await cards()
      return [bookResource(member, all), ...(isDeep ? all.map(cardResource) : [])]
    }
    default:
      return [cardResource(cardAt(path, await cards()))]
  }
}

async function answerReport(
  { db }: CardDavParts,
  member: Member,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const report = readReport(textOf(request))
  if (report === undefined) {
    return sendXml(reply.code(403), element('d:error', [element('d:supported-report', '')], declarations))
  }
  if (pathOf(request) !== bookPath) throw new NotFound()
  return sendParts(reply, reportParts(report, await cardsOf(db, member)))
}

function reportParts(report: Report, cards: readonly Card[]): XmlElement[] {
  if (report.kind === 'query') {
    const found = cards.filter(report.matches).slice(0, report.limit)
    return found.map((card) => responseOf(cardResource(card), report.asked))
  }
  const byPath = new Map(cards.map((card) => [bookPath + card.file, card]))
  return report.hrefs.map((href) => {
    const card = byPath.get(pathIn(href))
    return card === undefined ? missingResponse(href) : responseOf(cardResource(card), report.asked)
  })
}

async function answerGet(
  { db }: CardDavParts,
  member: Member,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { etag, text } = cardAt(pathOf(request), await cardsOf(db, member))
  reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('text/vcard; charset=utf-8').send(text)
}

async function cardsOf(db: Db, { id }: Member): Promise<readonly Card[]> {
  return (await readBook(db, id)).map(cardOf)
}

/** Throws NotFound. */
function cardAt(path: string, cards: readonly Card[]): Card {
  const found = cards.find(({ file }) => path === bookPath + file)
  if (found === undefined) throw new NotFound()
  return found
}

/** The path of a collection with the slash at its end, which some clients leave out. */
function pathOf(request: FastifyRequest): string {
  const path = pathIn(request.url)
  return path.endsWith('/') || path.endsWith('.vcf') ? path : `${path}/`
}

/** The path of a URL or path; clients send either. */
function pathIn(href: string): string {
  const base = 'http://localhost'
  return URL.canParse(href, base) ? new URL(href, base).pathname : ''
}

const textOf = ({ body }: FastifyRequest) => (Buffer.isBuffer(body) ? readXmlText(body) : '')

function sendResources(reply: FastifyReply, found: readonly Resource[], asked: Asked): FastifyReply {
  return sendParts(
    reply,
    found.map((one) => responseOf(one, asked)),
  )
}

function sendParts(reply: FastifyReply, parts: readonly XmlElement[]): FastifyReply {
  return sendXml(reply.code(207), element('d:multistatus', parts, declarations))
}

function sendXml(reply: FastifyReply, content: XmlElement): FastifyReply {
  return reply.header('dav', capabilities.dav).type('application/xml; charset=utf-8').send(writeXml(content))
}
