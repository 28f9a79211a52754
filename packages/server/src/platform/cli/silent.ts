import type { Log } from '../log.ts'

/** Commands print their results and don't log. */
export const silent: Log = { fatal() {}, error() {}, warn() {}, info() {}, debug() {} }
