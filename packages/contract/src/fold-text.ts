const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/** Letters that Unicode doesn't decompose, and their usual transliteration. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/**
 * Normalises text for searches: without case and accents, "Straße" as "strasse". The database function
 * `fold_text` does the same.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(/[øłđðħŧıςßæœþ]/g, (letter) => plainLetters[letter] ?? letter)
}

/** Returns the range of a part within a text, ignoring case and accents; undefined if not found. */
export function findFolded(text: string, part: string): { start: number; end: number } | undefined {
  const wanted = foldText(part)
  if (wanted === '') return undefined
  let folded = ''
  // for each position in the folded text, where its character starts and ends in the original
  const starts: number[] = []
  const ends: number[] = []
  let place = 0
  for (const character of text) {
    const plain = foldText(character)
    const end = place + character.length
    // a combining accent belongs to the preceding letter
    if (plain === '' && ends.length > 0) ends[ends.length - 1] = end
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(place)
      ends.push(end)
    }
    folded += plain
    place = end
  }
  const at = folded.indexOf(wanted)
  const [start, end] = [starts[at], ends[at + wanted.length - 1]]
  return start === undefined || end === undefined ? undefined : { start, end }
}
