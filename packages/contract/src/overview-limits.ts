/** Counts of customers go no further: at this number there may be more. */
export const mostCounted = 1000

/** Customers whom the overview of staff names. */
export const mostDebtors = 5
