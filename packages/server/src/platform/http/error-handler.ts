import type { ErrorMap } from '@gatehouse/contract/envelope'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isConflict } from '../db/database.ts'
import type { MessageKey, Translate } from '../i18n/translator.ts'
import {
  BadRequest,
  type FieldMessages,
  HttpError,
  type Message,
  message,
  OwnRefusal,
  StorageFull,
  TooManyRequests,
  Unavailable,
  ValidationError,
} from './errors.ts'
import { isOutage, isOutOfSpace } from './outage.ts'

const labels: Readonly<Record<number, MessageKey>> = {
  400: 'http.400',
  401: 'http.401',
  403: 'http.403',
  404: 'http.404',
  405: 'http.405',
  413: 'http.413',
  416: 'http.416',
  429: 'http.429',
}

/** Converts any error to the API's error envelope. The only place where errors become responses. */
export function errorHandler(translator: (request: FastifyRequest) => Translate) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    const failure = asHttpError(error)
    if (failure.status >= 500) request.log.error({ err: error }, 'request failed')
    void reply
      .code(failure.status)
      .headers(failure.headers)
      .type('application/json; charset=utf-8')
      .send(envelopeOf(failure, translator(request)))
  }
}

/** Returns the API's error envelope for a failure. */
export function envelopeOf(failure: HttpError, t: Translate) {
  return {
    ...(isWhole(failure) ? {} : { status: 'error', message: t(failure.text.key, failure.text.params) }),
    ...(failure instanceof OwnRefusal && failure.body),
    ...(failure instanceof ValidationError && { errors: errorMap(failure.fields, t) }),
    ...failure.facts,
  }
}

function isWhole(failure: HttpError): boolean {
  return failure instanceof OwnRefusal && failure.isWhole
}

/** Maps any error to an HttpError. */
export function asHttpError(error: FastifyError | Error): HttpError {
  if (error instanceof HttpError) return error
  // nothing was committed, and a retry is likely to succeed
  if (isConflict(error)) return new TooManyRequests(1)
  if (isOutage(error)) return new Unavailable()
  if (isOutOfSpace(error)) return new StorageFull()
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === undefined || status < 400 || status > 499) return new HttpError(500, message('http.500'))
  const label = labels[status]
  // other framework errors, such as an unsupported media type, are a malformed request
  return label === undefined ? new BadRequest() : new HttpError(status, message(label))
}

function errorMap(fields: ValidationError['fields'], t: Translate): ErrorMap {
  const say = (text: Message) => t(text.key, text.params)
  const present = (value: FieldMessages): ErrorMap[string] => {
    if (value instanceof Map) {
      return Object.fromEntries([...value].map(([index, text]) => [String(index), say(text)]))
    }
    if (Array.isArray(value)) return value.map(say)
    return say(value as Message) // neither map nor list: a single message
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, present(value)]))
}
