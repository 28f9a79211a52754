import { HttpError, message, ValidationError } from '../platform/http/errors.ts'

/** The chunk does not begin at the current offset of the upload, which the response contains (409). */
export class WrongOffset extends HttpError {
  readonly received: number

  constructor(received: number) {
    super(409, message('files.wrong-offset', { received }), {}, { uploaded: received })
    this.received = received
  }
}

/** The content or name has changed concurrently (409). */
export class FileConflict extends HttpError {
  constructor(key: 'files.changed-meanwhile' | 'files.name-taken') {
    super(409, message(key))
  }
}

/** The virus scanner flagged the content, or has not scanned it yet and the reader is not the owner (403). */
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

/** Returns an error of properties or parents in the form other clients expect: the first entry of a list. */
export function plainError(key: 'files.unknown-parent' | 'files.property-invalid'): ValidationError {
  return new ValidationError({ '0': message(key) })
}
