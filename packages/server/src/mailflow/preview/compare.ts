/** A kept decision of one policy; `facts` are those of its rule. */
export interface Kept<Facts> {
  readonly id: string
  readonly at: Date
  /** The user or other object that got the message; null: unknown. */
  readonly objectId: number | null
  readonly sender: string
  readonly recipient: string
  readonly facts: Facts
}

/** One message that a changed policy would have treated differently. */
export interface Difference {
  /** Of the kept decision. */
  readonly id: string
  readonly at: Date
  readonly sender: string
  readonly recipient: string
  /** Whether the policy would apply to the message that it spared, or spare one that it applied to. */
  readonly effect: 'more' | 'fewer'
}

/** What a changed policy would have done, compared with the present one. */
export interface Comparison {
  /** Messages that were looked at. */
  readonly messages: number
  readonly more: number
  readonly fewer: number
  /** The newest differences first. */
  readonly examples: readonly Difference[]
}

/** Examples that are worth reading. */
const mostExamples = 20

/**
 * Compares two policies over the same messages, oldest first. `before` and `after` tell for each message whether the
 * policy applies to it; what they remember from message to message is their own.
 */
export function compare<Facts>(
  messages: readonly Kept<Facts>[],
  before: (message: Kept<Facts>) => boolean,
  after: (message: Kept<Facts>) => boolean,
): Comparison {
  const differences: Difference[] = []
  for (const message of messages) {
    const [applied, applies] = [before(message), after(message)]
    if (applied === applies) continue
    const { id, at, sender, recipient } = message
    differences.push({ id, at, sender, recipient, effect: applies ? 'more' : 'fewer' })
  }
  const more = differences.filter(({ effect }) => effect === 'more').length
  return {
    messages: messages.length,
    more,
    fewer: differences.length - more,
    examples: differences.slice(-mostExamples).reverse(),
  }
}
