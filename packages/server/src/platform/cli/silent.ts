import type { Log } from '../log.ts'

/** Commands speak by what they print. */
export const silent: Log = { fatal() {}, error() {}, warn() {}, info() {}, debug() {} }
