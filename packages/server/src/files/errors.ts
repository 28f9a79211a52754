import { HttpError, message, ValidationError } from '../platform/http/errors.ts'

/** A chunk does not begin where the upload is (409); the answer tells where that is. */
export class WrongOffset extends HttpError {
  readonly received: number

  constructor(received: number) {
    super(409, message('files.wrong-offset', { received }), {}, { uploaded: received })
    this.received = received
  }
}

/** Somebody was faster (409): content, or a name, is not what the caller thought. */
export class FileConflict extends HttpError {
  constructor(key: 'files.changed-meanwhile' | 'files.name-taken') {
    super(409, message(key))
  }
}

/** The virus scan has found something, or has not looked yet at what others ask for (403). */
export class ContentLocked extends HttpError {
  constructor(key: 'files.infected' | 'files.not-scanned') {
    super(403, message(key))
  }
}

/** A collection has no content (405). */
export class NoContent extends HttpError {
  constructor() {
    super(405, message('http.405'))
  }
}

/** What is wrong with properties or parents, in the form that other clients read: the first entry of a list. */
export function plainError(key: 'files.unknown-parent' | 'files.property-invalid'): ValidationError {
  return new ValidationError({ '0': message(key) })
}
