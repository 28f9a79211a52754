const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/** Letters that Unicode doesn't take apart, and what people type for them. */
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
 * A text as searches compare it: without case and accents, "Straße" as "strasse". The function `fold_text` of the
 * database does the same.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(/[øłđðħŧıςßæœþ]/g, (letter) => plainLetters[letter] ?? letter)
}

/** Where a text has a part in it, without regard to case and accents; undefined: nowhere. */
export function findFolded(text: string, part: string): { start: number; end: number } | undefined {
  const wanted = foldText(part)
  if (wanted === '') return undefined
  let folded = ''
  // for each position of the folded text where its character begins, and ends, in the text itself
  const starts: number[] = []
  const ends: number[] = []
  let place = 0
  for (const character of text) {
    const plain = foldText(character)
    const end = place + character.length
    // an accent of its own belongs to the letter before
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
