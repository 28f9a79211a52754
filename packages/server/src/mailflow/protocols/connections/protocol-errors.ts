/** The client violated its protocol or exceeded a limit. The connection is closed. */
export class ProtocolViolation extends Error {
  override name = 'ProtocolViolation'
}

/** A handler returned an answer that can't be sent in its protocol. The client gets the fallback answer. */
export class InvalidAnswer extends Error {
  override name = 'InvalidAnswer'
}

/** The abort reason of a handler's signal: its answer is no longer needed. */
export class HandlerStopped extends Error {
  override name = 'HandlerStopped'
}
