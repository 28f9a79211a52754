import type { FastifyBaseLogger } from 'fastify'

/**
 * Structured log: `log.info({ key: value }, 'sentence')`. Never contains secrets, tokens or message bodies.
 */
export type Log = Pick<FastifyBaseLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>
