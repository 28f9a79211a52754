/** An option of a command. */
export interface UsageOption {
  readonly name: string
  readonly takesValue: boolean
  /** The possible values; empty if any is possible. */
  readonly values: readonly string[]
}

/** What can follow the name of a command. */
export interface Usage {
  readonly options: readonly UsageOption[]
  /** The possible values of each positional argument; empty if any is possible. */
  readonly positions: readonly (readonly string[])[]
}

/** Every command prints JSON with it. */
const json: UsageOption = { name: 'json', takesValue: false, values: [] }

/**
 * Reads the usage text of a command: `<a|b>` and `[a | b]` list fixed values, everything else in brackets is a
 * placeholder.
 */
export function parseUsage(usage: string): Usage {
  const [, ...rest] = usage.split(' ')
  const text = rest.join(' ')
  const optionPattern = /\[?--([a-z-]+)(=(?:<[^>]*>|[^\s\]]*))?\]?/g
  const options = [...text.matchAll(optionPattern)].map(([, name = '', value]) => ({
    ...{ name, takesValue: value !== undefined },
    values: fixedValues(value?.slice(1) ?? '', /^[\w-]+$/),
  }))
  const words = text.replace(optionPattern, '').match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? []
  const positions = words.map((word) => fixedValues(word.replace(/^\[<?|>?\]$/g, ''), /^[a-z\d-]+$/))
  return { options: [...options, json], positions }
}

function fixedValues(text: string, pattern: RegExp): readonly string[] {
  const isPlaceholder = text.startsWith('<')
  const values = text.replace(/^<|>$/g, '').split(/\s*\|\s*/)
  const isFixed = values.every((value) => pattern.test(value)) && !(isPlaceholder && values.length === 1)
  // a single word without brackets is the only value of an option, but the name of a position
  return isFixed && (values.length > 1 || pattern.source.includes('w')) ? values : []
}
