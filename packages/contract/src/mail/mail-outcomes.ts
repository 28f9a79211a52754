/** Where a message is, by its latest steps; the worst of its recipients. */
export const mailOutcomes = ['delivered', 'accepted', 'delayed', 'held', 'refused', 'bounced'] as const

export type MailOutcome = (typeof mailOutcomes)[number]

export const mailDirections = ['in', 'out'] as const

export type MailDirection = (typeof mailDirections)[number]
