import { type CsvCell, csvRow } from '../csv/write-csv.ts'

/** What a command tells programs about one thing. Amounts are in cents, dates are instants. */
export type Facts = Readonly<Record<string, unknown>>

/** Adds a row to a list, as facts for programs and as text for people. `cells` are needed if it can be CSV. */
export type WriteRow = (facts: Facts, text: string | readonly string[], cells?: readonly CsvCell[]) => void

/** How a command answers, apart from sentences: text, CSV and JSON are made from the same facts. */
export interface Answer {
  /** Begins a list, which may stay empty. With `head` it is CSV with these columns, unless JSON is asked for. */
  list(head?: readonly string[]): WriteRow
  /** Answers with the facts about one thing, and the lines that people see instead. */
  record(facts: Facts, lines: readonly string[]): void
}

/** Prints a sentence. JSON contains it only if the command answers with nothing else. */
export type Print = (line: string) => void

/** What commands write to. */
export interface Output {
  readonly print: Print
  readonly answer: Answer
}

/** Answers people. */
export function textOutput(print: Print): Output {
  return {
    print,
    answer: {
      list(head) {
        // print() adds the line break
        const printCells = (cells: readonly CsvCell[]) => print(csvRow(cells).trimEnd())
        if (head !== undefined) printCells(head)
        return (_facts, text, cells) => {
          if (head !== undefined && cells !== undefined) printCells(cells)
          else for (const line of typeof text === 'string' ? [text] : text) print(line)
        }
      },
      record: (_facts, lines) => {
        for (const line of lines) print(line)
      },
    },
  }
}

/**
 * Runs a command with its output. With the argument `--json` that is one JSON document: an array for a list, an
 * object for a record, otherwise `{"messages": […]}`. A command that fails before it answered prints none.
 */
export async function withOutput(
  args: readonly string[],
  print: Print,
  run: (args: readonly string[], output: Output) => void | Promise<void>,
): Promise<void> {
  if (!args.includes('--json')) return run(args, textOutput(print))
  const document = new JsonDocument(print)
  try {
    await run(
      args.filter((arg) => arg !== '--json'),
      document.output,
    )
  } catch (error) {
    document.endAnswer()
    throw error
  }
  document.end()
}

/** One JSON document. The rows of a list are printed as they come, because lists can be long. */
class JsonDocument {
  readonly output: Output
  readonly #print: Print
  readonly #messages: string[] = []
  #record: Facts | undefined
  /** Number of printed rows; undefined if there is no list. */
  #rows: number | undefined

  constructor(print: Print) {
    this.#print = print
    this.output = {
      print: (line) => this.#messages.push(line),
      answer: {
        list: () => {
          this.#rows ??= 0
          return (facts) => this.#addRow(facts)
        },
        record: (facts) => {
          this.#record = facts
        },
      },
    }
  }

  #addRow(facts: Facts): void {
    this.#print(`${this.#rows === 0 ? '[' : ','}${JSON.stringify(facts)}`)
    this.#rows = (this.#rows ?? 0) + 1
  }

  /** Prints the rest of a list or record, if there is one. Returns whether there is. */
  endAnswer(): boolean {
    if (this.#rows !== undefined) this.#print(this.#rows === 0 ? '[]' : ']')
    else if (this.#record !== undefined) this.#print(JSON.stringify(this.#record))
    return this.#rows !== undefined || this.#record !== undefined
  }

  end(): void {
    if (!this.endAnswer()) this.#print(JSON.stringify({ messages: this.#messages }))
  }
}
