/** A part of a value that was found; `differs`: no wanted value has it. */
export interface Part {
  text: string
  differs: boolean
}

/** A found value in parts, so that what differs from the wanted values can be marked. */
export function differences(found: string, wanted: readonly string[]): Part[] {
  const known = new Set(wanted.flatMap((value) => value.toLowerCase().split(separators).filter(isWord)))
  const parts: Part[] = []
  for (const text of found.split(separators)) {
    if (text === '') continue
    const differs = isWord(text) && !known.has(text.toLowerCase())
    const last = parts.at(-1)
    const next = { text, differs }
    // What stands between two marked words is marked with them, so that there is one mark and not many.
    if (last && (last.differs === differs || !isWord(text))) last.text += text
    else parts.push(next)
  }
  return parts.flatMap(withoutTail)
}

const separators = /([\s;]+)/

function isWord(text: string): boolean {
  return text !== '' && !/^[\s;]+$/.test(text)
}

/** The blanks after the last marked word are not marked. */
function withoutTail({ text, differs }: Part): Part[] {
  const words = text.replace(/[\s;]+$/, '')
  if (!differs || words === text) return [{ text, differs }]
  return [
    { text: words, differs },
    { text: text.slice(words.length), differs: false },
  ]
}
