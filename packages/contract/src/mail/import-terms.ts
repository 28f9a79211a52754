/** Words of the import of mail, also for the browser: without the schema library. */

/** How the connection to the old server is encrypted. */
export const importSecurities = ['tls', 'starttls'] as const

export type ImportSecurity = (typeof importSecurities)[number]

/** Special uses of folders (RFC 6154), and the inbox. */
export const folderUses = ['inbox', 'sent', 'drafts', 'trash', 'junk', 'archive'] as const

export type FolderUse = (typeof folderUses)[number]

/** `waiting`: not started yet, or interrupted and tried again later. */
export const importStates = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const

export type ImportState = (typeof importStates)[number]

/** Why an import can't continue. */
export const importProblems = [
  'unreachable',
  'certificate',
  'encryption',
  'password-sign-in',
  'sign-in',
  'protocol',
  'too-many-folders',
  'quota',
  'expired',
] as const

export type ImportProblem = (typeof importProblems)[number]

/** Why a message or folder was skipped. */
export const skipReasons = [
  'too-large',
  'refused',
  'unreadable',
  'folder-unreadable',
  'folder-refused',
] as const

export type SkipReason = (typeof skipReasons)[number]

export const importLimits = {
  folders: 2000,
  /** Bytes of a message. */
  message: 100 * 1024 * 1024,
  /** Skipped messages that are listed. */
  skips: 500,
} as const
