/** What a mail server did with a user's filters. */
export interface Uploaded {
  /** Name of the active script that isn't the portal's; null if there is none. */
  readonly otherScript: string | null
}

/** How to upload filters. */
export interface Upload {
  /** The user's address, which is their name at the mail server. */
  readonly user: string
  /** Undefined: the user has no filters; the portal's script is removed. */
  readonly script: string | undefined
  /** Make the script active even if the user made another one active. */
  readonly replacesOther: boolean
}

/** The mail server refused a script and would refuse it again; the message is its text. */
export class ScriptRefused extends Error {
  override name = 'ScriptRefused'
}

/** A mail server that runs the filters of its users. */
export interface SieveServer {
  /** Stores a user's filters. Other scripts of the user are kept. Throws ScriptRefused, and other errors to try again. */
  upload(upload: Upload): Promise<Uploaded>
}
