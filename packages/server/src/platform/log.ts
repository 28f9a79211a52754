import type { FastifyBaseLogger } from 'fastify'

/** Structured log: `log.info({ key: value }, 'sentence')`. No secret, token or message body goes in. */
export type Log = Pick<FastifyBaseLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>
