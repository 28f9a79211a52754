import type { AnsweredRequest, Ending, Observer } from '../connections/observer.ts'

/** Writes down what a server reports. */
export class Observations implements Observer {
  readonly answers: AnsweredRequest[] = []
  readonly endings: Ending[] = []
  readonly errors: unknown[] = []

  onAnswer(answer: AnsweredRequest): void {
    this.answers.push(answer)
  }

  onEnd({ ending }: { readonly ending: Ending }): void {
    this.endings.push(ending)
  }

  onError(error: unknown): void {
    this.errors.push(error)
  }
}
