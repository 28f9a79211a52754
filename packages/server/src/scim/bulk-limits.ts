/** Maximum operations of a bulk request. */
export const maxBulkOperations = 200

/** Maximum bytes of a request. */
export const maxBulkBytes = 2 * 1024 * 1024
