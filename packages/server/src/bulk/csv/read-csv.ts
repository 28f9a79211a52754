import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { HttpError, message, ValidationError } from '../../platform/http/errors.ts'
import { decodeText } from './decode-text.ts'

/** Maximum characters per row, so that an unclosed quote doesn't fill the memory. */
const longestRow = 200_000
/** Maximum characters within which the headings must end. */
const longestHead = 64 * 1024

const delimiters = [',', ';', '\t', '|'] as const

/**
 * Streams the rows of a CSV file (RFC 4180) as lists of cells, the headings first. Delimiters may be commas,
 * semicolons, tabs or vertical bars. Throws ValidationError at `file`, PayloadTooLarge.
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer | string>,
  mostBytes: number,
): AsyncGenerator<string[]> {
  const text = decodeText(bytes, mostBytes)
  const head = await readHead(text)
  const parser = parse({
    delimiter: head.delimiter,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: longestRow,
  })
  // errors are thrown where the rows are read
  pipeline(Readable.from(joined(head.text, text)), parser, () => {})
  try {
    for await (const record of parser) yield record as string[] // without columns a record is a list of cells
  } catch (error) {
    throw problemOf(error)
  }
}

async function* joined(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}

/** Reads up to the end of the headings, and detects the delimiter. */
async function readHead(text: AsyncGenerator<string>): Promise<{ text: string; delimiter: string }> {
  let head = ''
  for (;;) {
    const part = await text.next()
    if (part.done === true) break
    head += part.value
    if (/[\r\n]./s.test(head) || head.length > longestHead) break
  }
  // spreadsheets may declare the delimiter
  const said = /^\uFEFF?sep=(.)\r?\n/.exec(head)
  if (said?.[1] !== undefined) return { text: head.slice(said[0].length), delimiter: said[1] }
  const line = /^[^\r\n]*/.exec(head)?.[0].replaceAll(/"[^"]*"/g, '') ?? ''
  const counts = delimiters.map((sign) => line.split(sign).length)
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] ?? ','
  return { text: head, delimiter }
}

function problemOf(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof CsvError)) return error
  const line = 'lines' in error ? Number(error.lines) : 0
  return new ValidationError({ file: message('bulk.file-broken', { line }) })
}
