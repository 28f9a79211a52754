import type { FastifyBaseLogger } from 'fastify'

/** Structured log: `log.info({ key: value }, 'sentence')`. No secret, token or message body goes in. */
export type Log = Pick<FastifyBaseLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>

const nothing = () => {}

/** For commands, which say themselves what there is to say. */
export const noLog: Log = { fatal: nothing, error: nothing, warn: nothing, info: nothing, debug: nothing }
