/** A text that PostgreSQL can store, also within JSON: without NUL characters and unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd')
}
