/**
 * A text as one line: control characters (line breaks above all) become spaces, invisible characters
 * that turn or hide text are dropped, runs of spaces shrink to one. For everything that people type and
 * that goes into a header or a sentence of a mail.
 */
export function singleLine(text: string, maxLength = 1000): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, maxLength)
    .replace(/\p{Cs}/gu, '')
}
