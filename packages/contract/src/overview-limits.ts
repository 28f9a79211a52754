/** Counts of customers are capped here: the real number may be higher. */
export const mostCounted = 1000

/** Maximum customers listed in the staff overview. */
export const mostDebtors = 5
