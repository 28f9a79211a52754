/** Part of a found value; `differs`: not in any expected value. */
export interface Part {
  text: string
  differs: boolean
}

/** Splits a found value into parts, so that differences from the expected values can be highlighted. */
export function differences(found: string, wanted: readonly string[]): Part[] {
  const known = new Set(wanted.flatMap((value) => value.toLowerCase().split(separators).filter(isWord)))
  const parts: Part[] = []
  for (const text of found.split(separators)) {
    if (text === '') continue
    const differs = isWord(text) && !known.has(text.toLowerCase())
    const last = parts.at(-1)
    const next = { text, differs }
    // Text between two highlighted words is highlighted too, to get one mark instead of many.
    if (last && (last.differs === differs || !isWord(text))) last.text += text
    else parts.push(next)
  }
  return parts.flatMap(withoutTail)
}

const separators = /([\s;]+)/

function isWord(text: string): boolean {
  return text !== '' && !/^[\s;]+$/.test(text)
}

/** Removes the highlighting from trailing blanks. */
function withoutTail({ text, differs }: Part): Part[] {
  const words = text.replace(/[\s;]+$/, '')
  if (!differs || words === text) return [{ text, differs }]
  return [
    { text: words, differs },
    { text: text.slice(words.length), differs: false },
  ]
}
