import { invalid, type ScimError } from '../errors.ts'
import {
  type AttributePath,
  type CompareOperator,
  compareOperators,
  type Filter,
  type FilterValue,
  type PatchPath,
} from './filter.ts'

/** Maximum characters of a filter or path. */
const longest = 4096
/** Maximum depth of parentheses and brackets. */
const deepest = 16
/** Maximum comparisons. */
const mostTerms = 64

const token = /\s*(?:(?<punctuation>[()[\]])|(?<text>"(?:[^"\\]|\\.)*")|(?<word>[^\s()[\]"]+))\s*/y

const attributePath = /^(?:(?<urn>urn:[\w.:-]+):)?(?<name>[a-z$][\w$-]*)(?:\.(?<sub>[a-z$][\w$-]*))?$/i

/** Parses a filter. Throws ScimError (`invalidFilter`), also if it is too long, too deep or has too many terms. */
export function parseFilter(text: string): Filter {
  const parser = new Parser(text, () => invalid('invalidFilter', 'scim.invalid-filter'))
  const filter = parser.disjunction()
  parser.end()
  return filter
}

/** Parses the path of a change. Throws ScimError (`invalidPath`). */
export function parsePatchPath(text: string): PatchPath {
  const parser = new Parser(text, () =>
    invalid('invalidPath', 'scim.invalid-path', { path: text.slice(0, 200) }),
  )
  const found = parser.patchPath()
  parser.end()
  return found
}

/** Parses the name of an attribute; undefined if it isn't one. */
export function parseAttributePath(text: string): AttributePath | undefined {
  if (text.length > longest) return undefined
  const { urn, name, sub } = attributePath.exec(text)?.groups ?? {}
  return name === undefined ? undefined : { urn, name, sub }
}

/** A parser by recursive descent; the depth is limited. */
class Parser {
  readonly #tokens: readonly string[]
  readonly #refusal: () => ScimError
  #next = 0
  #depth = 0
  #terms = 0

  constructor(text: string, refusal: () => ScimError) {
    this.#refusal = refusal
    this.#tokens = text.length > longest ? this.#fail() : this.#tokenise(text)
  }

  end(): void {
    if (this.#next < this.#tokens.length) this.#fail()
  }

  disjunction(): Filter {
    let left = this.#conjunction()
    while (this.#takeWord('or')) left = { kind: 'or', left, right: this.#conjunction() }
    return left
  }

  patchPath(): PatchPath {
    const path = this.#path()
    if (!this.#take('[')) return { path, filter: undefined, sub: undefined }
    if (path.sub !== undefined) this.#fail()
    const filter = this.#deeper(']')
    const rest = this.#tokens[this.#next]
    if (rest === undefined) return { path, filter, sub: undefined }
    this.#next += 1
    const sub = parseAttributePath(rest.replace(/^\./, ''))
    if (!rest.startsWith('.') || sub === undefined || sub.sub !== undefined) return this.#fail()
    return { path, filter, sub: sub.name }
  }

  #conjunction(): Filter {
    let left = this.#term()
    while (this.#takeWord('and')) left = { kind: 'and', left, right: this.#term() }
    return left
  }

  #term(): Filter {
    if (this.#take('(')) return this.#deeper(')')
    if (this.#isWord('not') && this.#tokens[this.#next + 1] === '(') {
      this.#next += 2
      return { kind: 'not', inner: this.#deeper(')') }
    }
    this.#terms += 1
    if (this.#terms > mostTerms) this.#fail()
    const path = this.#path()
    if (this.#take('[')) return { kind: 'element', path, inner: this.#deeper(']') }
    if (this.#takeWord('pr')) return { kind: 'present', path }
    return { kind: 'compare', path, operator: this.#operator(), value: this.#value() }
  }

  #deeper(closing: string): Filter {
    this.#depth += 1
    if (this.#depth > deepest) this.#fail()
    const inner = this.disjunction()
    if (!this.#take(closing)) this.#fail()
    this.#depth -= 1
    return inner
  }

  #path(): AttributePath {
    return parseAttributePath(this.#shift()) ?? this.#fail()
  }

  #operator(): CompareOperator {
    const word = this.#shift().toLowerCase()
    return compareOperators.find((operator) => operator === word) ?? this.#fail()
  }

  #value(): FilterValue {
    const text = this.#shift()
    const value = this.#json(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text)
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
    return isPlain ? (value as FilterValue) : this.#fail() // checked just now
  }

  #json(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return this.#fail()
    }
  }

  #shift(): string {
    const text = this.#tokens[this.#next] ?? this.#fail()
    this.#next += 1
    return text
  }

  #take(text: string): boolean {
    if (this.#tokens[this.#next] !== text) return false
    this.#next += 1
    return true
  }

  #isWord(word: string): boolean {
    return this.#tokens[this.#next]?.toLowerCase() === word
  }

  #takeWord(word: string): boolean {
    if (!this.#isWord(word)) return false
    this.#next += 1
    return true
  }

  #tokenise(text: string): string[] {
    const tokens: string[] = []
    token.lastIndex = 0
    for (let at = 0; at < text.length; at = token.lastIndex) {
      token.lastIndex = at
      const { punctuation, text: quoted, word } = token.exec(text)?.groups ?? this.#fail()
      tokens.push(punctuation ?? quoted ?? word ?? this.#fail())
    }
    return tokens
  }

  #fail(): never {
    throw this.#refusal()
  }
}
