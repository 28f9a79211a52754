/** A text that PostgreSQL can store, also within JSON: without NUL characters and unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd')
}

/** Returns a value as JSON that PostgreSQL can store. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  // such characters are rare, and looking at every text is slow
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? storableText(one) : one))
}
