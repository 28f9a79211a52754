/** Path parameters by name; `_splat` is the rest of the path. */
export type Params = Readonly<Record<string, string | undefined>>

interface Pattern<R> {
  route: R
  expression: RegExp
  names: readonly string[]
  /** One letter per segment, sorted by precedence. */
  rank: string
}

/**
 * Finds routes by path. `$name` matches one segment, `{-$name}` an optional one, a final `$` the rest.
 * Static segments take precedence.
 */
export class RouteMatcher<R extends { readonly path: string }> {
  readonly #patterns: readonly Pattern<R>[]

  constructor(routes: readonly R[]) {
    this.#patterns = routes.map(compile).toSorted((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
  }

  find(path: string): { route: R; params: Params } | undefined {
    for (const { route, expression, names } of this.#patterns) {
      const found = expression.exec(path)
      if (found === null) continue
      return {
        route,
        params: Object.fromEntries(names.map((name, at) => [name, decode(found[at + 1])])),
      }
    }
    return undefined
  }
}

function compile<R extends { readonly path: string }>(route: R): Pattern<R> {
  const names: string[] = []
  let rank = ''
  let expression = ''
  for (const segment of route.path.split('/').filter((part) => part !== '')) {
    if (segment === '$') {
      names.push('_splat')
      rank += 'c'
      expression += '(?:/(.*))?'
    } else if (segment.startsWith('{-$')) {
      names.push(segment.slice(3, -1))
      rank += 'b'
      expression += '(?:/([^/]+))?'
    } else if (segment.startsWith('$')) {
      names.push(segment.slice(1))
      rank += 'b'
      expression += '/([^/]+)'
    } else {
      rank += 'a'
      expression += `/${segment.replaceAll(/[.*+?^()|[\]\\{}]/g, String.raw`\$&`)}`
    }
  }
  return { route, names, rank, expression: new RegExp(`^${expression}/?$`, 'i') }
}

/** Tolerates a percent sign that isn't part of an escape sequence. */
function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
