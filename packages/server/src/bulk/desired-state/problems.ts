import { type FieldMessages, type Message, ValidationError } from '../../platform/http/errors.ts'
import type { Errors } from '../../platform/http/validation.ts'
import type { RowMessage } from '../batch.ts'

/** Maximum places that a response names. */
const most = 100

/** Errors of a document by path, such as `users.3.phone`. */
export class Problems {
  readonly #found = new Map<string, Message[]>()

  add(path: string, ...texts: readonly Message[]): void {
    const known = this.#found.get(path)
    if (known !== undefined) known.push(...texts)
    else if (this.#found.size < most && texts.length > 0) this.#found.set(path, [...texts])
  }

  /** Adds errors of fields below a path. */
  addFields(path: string, errors: Errors): void {
    for (const [field, found] of Object.entries(errors)) this.add(`${path}.${field}`, ...listOf(found))
  }

  /** Adds messages about a row. */
  addMessages(path: string, found: readonly RowMessage[]): void {
    for (const { field, ...text } of found) this.add(field === undefined ? path : `${path}.${field}`, text)
  }

  /** Adds the errors that an action throws. */
  async attempt(path: string, action: () => Promise<unknown>): Promise<void> {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      this.addFields(path, error.fields)
    }
  }

  /** Throws ValidationError if there are any. */
  require(): void {
    if (this.#found.size > 0) throw new ValidationError(Object.fromEntries(this.#found))
  }
}

function listOf(found: FieldMessages): readonly Message[] {
  if (found instanceof Map) return [...found.values()]
  return Array.isArray(found) ? found : [found as Message] // neither map nor list: a single message
}
