import type { Readable } from 'node:stream'
import type { Language } from '@gatehouse/contract/language'
import type { RouteDefinition, Variant } from '@gatehouse/contract/route'
import type { RouteKey, routes } from '@gatehouse/contract/routes'
import type { z } from 'zod'
import type { Translate } from '../i18n/translator.ts'
import type { ContentAnswer } from './bodies/content.ts'
import type { Download } from './bodies/download.ts'
import type { Principal } from './callers/principal.ts'
import type { LogFacts } from './request-log.ts'
import type { Accepted, Read } from './validation.ts'

type Parsed<S> = S extends z.ZodObject ? z.output<S> : undefined

type PrincipalOf<A extends RouteDefinition['auth']> = A extends 'token'
  ? Principal
  : A extends 'optional'
    ? Principal | undefined
    : undefined

/** Facts of a request that are available to every call. */
export interface RequestFacts {
  readonly variant: Variant
  readonly language: Language
  readonly t: Translate
  /** Network address of the caller, with trusted proxies taken into account. */
  readonly ip: string
  /** The same for lists of networks that open something, see `provenAddress`. */
  readonly provenIp: (own?: string) => string | undefined
  readonly userAgent: string
  /** Name of the host that was asked. */
  readonly hostname: string
  /** Cookies of the browser: how somebody likes pages, never who somebody is. */
  readonly cookie: string | undefined
  /** The name by which the browser is known again when somebody signs in; one without gets it with the answer. */
  readonly device: () => string
  /** The same as far as the browser sent it: it decides nothing but which limits of the throttle apply. */
  readonly sentDevice: string | undefined
  /** Calls back when the client hangs up before it has its answer; returns what takes that back. */
  readonly onHangUp: (listener: () => void) => () => void
  /** Adds facts to the log line of the request. */
  readonly note: (facts: LogFacts) => void
  readonly requestId: string
  /** How the request arrived, for who looks after the proxies. */
  readonly inspect: () => InspectedRequest
}

export interface InspectedRequest {
  /** Addresses that it came through, the nearest first. */
  readonly clientIps: readonly string[]
  readonly isFromTrustedProxy: boolean
  /** Without those that carry secrets. */
  readonly headers: Readonly<Record<string, string>>
}

export interface CallContext<R extends RouteDefinition> extends RequestFacts {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
  readonly principal: PrincipalOf<R['auth']>
}

export type CallHandler<K extends RouteKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>> | z.input<(typeof routes)[K]['ok']>

/** A call that decides who may act before it looks at the input: not found and forbidden come before 422. */
export interface LateContext<R extends RouteDefinition> extends Omit<CallContext<R>, 'body'> {
  readonly read: Read<Parsed<R['body']>>
}

/**
 * A call that sets a configuration: all keys that were sent, or none. Its rules look at each entry and say what is wrong
 * in sentences of their own, keys that there are not included.
 */
export interface ConfigContext<R extends RouteDefinition> extends Omit<CallContext<R>, 'body'> {
  readonly read: Read<Readonly<Record<string, unknown>>>
}

/** Calls of the contract that set a configuration. */
export type ConfigKey = Extract<RouteKey, `POST ${string}/config`>

export type ConfigHandler<K extends ConfigKey> = (
  context: ConfigContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

export type LateHandler<K extends RouteKey> = (
  context: LateContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

/** A file that a call receives: read it to its end, or throw. `read` reads the query alone. */
export interface UploadContext<R extends RouteDefinition> extends LateContext<R> {
  /**
   * Reads fields from the query and, unless the query says that the body is content, from the body too. Throws
   * ValidationError, and BadRequest for a body that cannot be read.
   */
  readonly readFields: (
    isContent: (query: Accepted<Parsed<R['body']>>, refused: ReadonlySet<string>) => boolean,
  ) => Promise<{ readonly body: Parsed<R['body']>; readonly isContent: boolean }>
  readonly file: AsyncIterable<Buffer | string>
  /** The same as a stream, for who has to be able to cut it off. */
  readonly stream: Readable
  /** Headers of the request, such as its media type. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Bytes that the client announced; undefined: it did not say. */
  readonly announcedBytes: number | undefined
}

/** A call whose input may come as a form with files. */
export interface FormContext<R extends RouteDefinition> extends LateContext<R> {
  /** By the name of their field. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** A call that may answer with stored content. */
export type ContentHandler<K extends ContentKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']> | ContentAnswer>

/** Calls of the contract that may send stored content. */
export type ContentKey = {
  [K in RouteKey]: (typeof routes)[K] extends { readonly content: true } ? K : never
}[RouteKey]

export type FormHandler<K extends RouteKey> = (
  context: FormContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

export type UploadHandler<K extends RouteKey> = (
  context: UploadContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

/** Calls of the contract that send a file. */
export type DownloadKey = {
  [K in RouteKey]: (typeof routes)[K] extends { readonly download: string } ? K : never
}[RouteKey]

export type DownloadHandler<K extends DownloadKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<Download> | Download
