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

/** Properties of a request available to every call. */
export interface RequestFacts {
  readonly variant: Variant
  readonly language: Language
  readonly t: Translate
  /** Client address, taking trusted proxies into account. */
  readonly ip: string
  /** Client address for allowlists of networks, see `provenAddress`. */
  readonly provenIp: (own?: string) => string | undefined
  readonly userAgent: string
  /** Requested host name. */
  readonly hostname: string
  /** The browser's cookies, used only for display preferences, never for authentication. */
  readonly cookie: string | undefined
  /**
   * Returns the device id by which the browser is recognised at sign-in; if missing, one is set with the
   * response.
   */
  readonly device: () => string
  /** The device id as sent by the browser; it only affects which throttle limits apply. */
  readonly sentDevice: string | undefined
  /**
   * Registers a listener for the client disconnecting before the response; returns a function that unregisters
   * it.
   */
  readonly onHangUp: (listener: () => void) => () => void
  /** Adds properties to the request's log line. */
  readonly note: (facts: LogFacts) => void
  readonly requestId: string
  /** Returns how the request arrived, for operators who configure proxies. */
  readonly inspect: () => InspectedRequest
}

export interface InspectedRequest {
  /** Addresses it was forwarded through, nearest first. */
  readonly clientIps: readonly string[]
  readonly isFromTrustedProxy: boolean
  /** Without headers that contain secrets. */
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

/** A call that checks permissions before it validates the input: 404 and 403 take precedence over 422. */
export interface LateContext<R extends RouteDefinition> extends Omit<CallContext<R>, 'body'> {
  readonly read: Read<Parsed<R['body']>>
}

/**
 * A call that changes a configuration: all keys sent, or none. Its rules validate each entry, including
 * unknown keys, with their own messages.
 */
export interface ConfigContext<R extends RouteDefinition> extends Omit<CallContext<R>, 'body'> {
  readonly read: Read<Readonly<Record<string, unknown>>>
}

/** Calls of the contract that change a configuration. */
export type ConfigKey = Extract<RouteKey, `POST ${string}/config`>

export type ConfigHandler<K extends ConfigKey> = (
  context: ConfigContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

export type LateHandler<K extends RouteKey> = (
  context: LateContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

/** A file received by a call: read it to the end, or throw. `read` reads only the query. */
export interface UploadContext<R extends RouteDefinition> extends LateContext<R> {
  /**
   * Reads fields from the query and, unless the query declares the body to be content, from the body. Throws
   * ValidationError, and BadRequest for a malformed body.
   */
  readonly readFields: (
    isContent: (query: Accepted<Parsed<R['body']>>, refused: ReadonlySet<string>) => boolean,
  ) => Promise<{ readonly body: Parsed<R['body']>; readonly isContent: boolean }>
  readonly file: AsyncIterable<Buffer | string>
  /** The same as a stream, for callers that need to abort it. */
  readonly stream: Readable
  /** Request headers, such as the media type. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Content length declared by the client; undefined: not declared. */
  readonly announcedBytes: number | undefined
}

/** A call that accepts a form with files. */
export interface FormContext<R extends RouteDefinition> extends LateContext<R> {
  /** By field name. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** A call that may respond with stored content. */
export type ContentHandler<K extends ContentKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']> | ContentAnswer>

/** Calls of the contract that may respond with stored content. */
export type ContentKey = {
  [K in RouteKey]: (typeof routes)[K] extends { readonly content: true } ? K : never
}[RouteKey]

export type FormHandler<K extends RouteKey> = (
  context: FormContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

export type UploadHandler<K extends RouteKey> = (
  context: UploadContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

/** Calls of the contract that respond with a file. */
export type DownloadKey = {
  [K in RouteKey]: (typeof routes)[K] extends { readonly download: string } ? K : never
}[RouteKey]

export type DownloadHandler<K extends DownloadKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<Download> | Download
