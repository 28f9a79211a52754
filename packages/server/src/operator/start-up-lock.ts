/** Arbitrary key, unique in a database, of the advisory lock that serialises its preparation and restoration. */
export const startUpLock = 7_264_118_501
