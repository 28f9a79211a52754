/** A backup that can't be used or made. The message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** A part of a backup isn't what the manifest says: changed, truncated or missing. */
export class BackupDamaged extends BackupError {
  override name = 'BackupDamaged'

  constructor(part: string, problem: string) {
    super(`The backup is damaged: ${part} ${problem}. Use another backup.`)
  }
}
