import { UsageError } from '../../platform/cli/command.ts'
import { commandList, type ListedCommand } from './command-list.ts'
import { ownCommands } from './help.ts'
import { parseUsage, type Usage } from './usage.ts'

interface Completed extends Pick<ListedCommand, 'name' | 'summary'>, Usage {}

const shells: Readonly<Record<string, (commands: readonly Completed[]) => string>> = { bash, zsh, fish }

/** Returns a script that completes commands, options and fixed values in a shell. Throws UsageError. */
export function completionFor(shell: string | undefined): string {
  const write = Object.hasOwn(shells, shell ?? '') ? shells[shell ?? ''] : undefined
  if (write === undefined) throw new UsageError('Usage: completion <bash|zsh|fish>')
  const commands = [...commandList, ...ownCommands].map(({ name, summary, usage }) => ({
    ...{ name, summary },
    ...parseUsage(usage),
  }))
  return write(commands)
}

/** Returns what a shell offers for the options of a command, such as `--status=active`. */
function optionWords({ options }: Completed): string[] {
  return options.flatMap(({ name, takesValue, values }) => {
    if (values.length > 0) return values.map((value) => `--${name}=${value}`)
    return [takesValue ? `--${name}=` : `--${name}`]
  })
}

/** Cases of bash and zsh: the words for options, and for each position. */
function cases(commands: readonly Completed[], assign: (words: readonly string[]) => string): string {
  const lines = commands.flatMap((command) => [
    `    ${command.name}/--) ${assign(optionWords(command))} ;;`,
    ...command.positions.flatMap((values, index) =>
      values.length === 0 ? [] : [`    ${command.name}/${index + 1}) ${assign(values)} ;;`],
    ),
  ])
  return lines.join('\n')
}

function bash(commands: readonly Completed[]): string {
  return `# Completion of gatehouse in bash: source <(gatehouse completion bash)
_gatehouse() {
  local line=\${COMP_LINE:0:COMP_POINT} offered='' place=0 word words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  local current=\${words[-1]} command=\${words[1]}
  if (( \${#words[@]} == 2 )); then
    offered='help ${commands.map(({ name }) => name).join(' ')}'
  else
    for word in "\${words[@]:2}"; do [[ $word == --* ]] || place=$((place + 1)); done
    [[ $current == -* ]] && place=--
    case "$command/$place" in
${cases(commands, (words) => `offered='${words.join(' ')}'`)}
    esac
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  # bash replaces only what follows the last colon or equals sign
  local start=\${current%"\${current##*[:=]}"}
  COMPREPLY=("\${COMPREPLY[@]#"$start"}")
}
complete -o default -F _gatehouse gatehouse
`
}

function zsh(commands: readonly Completed[]): string {
  const described = commands.map(
    ({ name, summary }) => `    ${quoted(`${name.replaceAll(':', '\\:')}:${summary}`)}`,
  )
  return `#compdef gatehouse
# Completion of gatehouse in zsh: source <(gatehouse completion zsh)
_gatehouse() {
  local -a known offered
  known=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command known
    return
  fi
  local word place=0
  for word in "\${(@)words[3,CURRENT]}"; do [[ $word == --* ]] || place=$((place + 1)); done
  [[ $words[CURRENT] == -* ]] && place=--
  case "$words[2]/$place" in
${cases(commands, (words) => `offered=(${words.join(' ')})`)}
    *) _files; return ;;
  esac
  compadd -S '' -- $offered
}
compdef _gatehouse gatehouse
`
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap((command) => {
    const { name, summary, options, positions } = command
    const after = `complete -c gatehouse -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c gatehouse -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary, "\\'")}`,
      ...options.map(({ name: option, takesValue, values }) => {
        const offered = values.length > 0 ? ` -a '${values.join(' ')}'` : ''
        return `${after} -l ${option}${takesValue ? ` -x${offered}` : ''}`
      }),
      ...positions.flatMap((values) => (values.length > 0 ? [`${after} -f -a '${values.join(' ')}'`] : [])),
    ]
  })
  return `# Completion of gatehouse in fish: gatehouse completion fish | source\n${lines.join('\n')}\n`
}

/** Quotes a text for a shell; `quote` is how it writes a quote inside. */
function quoted(text: string, quote = `'\\''`): string {
  return `'${text.replaceAll("'", quote)}'`
}
