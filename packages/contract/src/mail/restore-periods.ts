/** How far back deleted messages can be restored, in days. The store keeps them for 30. */
export const restorePeriods = [1, 7, 30] as const

export type RestorePeriod = (typeof restorePeriods)[number]
