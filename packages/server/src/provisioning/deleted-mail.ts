/** A folder that a user deleted and the store still keeps. */
export interface DeletedFolder {
  /** Identifies it among the user's deleted folders. */
  readonly id: string
  readonly name: string
  readonly deletedAt: Date
  readonly messages: number
  /** Bytes. */
  readonly size: number
}

/** The mailbox has no room for what would be restored. */
export class NoRoomToRestore extends Error {
  override name = 'NoRoomToRestore'
}

/** What a mail store keeps for a while after users deleted it. */
export interface DeletedMailStore {
  /** Returns the deleted folders, latest first; undefined: there is no mailbox. */
  listFolders(email: string): Promise<readonly DeletedFolder[] | undefined>
  /** Returns the new path of a folder; undefined: it isn't there any more. Throws NoRoomToRestore. */
  restoreFolder(email: string, id: string): Promise<string | undefined>
  /** Counts the messages that were deleted in each of several periods, in days. */
  countMessages(email: string, periods: readonly number[]): Promise<readonly number[]>
  /** Restores the messages that were deleted in the last days to their folders. Returns their number. */
  restoreMessages(email: string, days: number): Promise<number>
}
