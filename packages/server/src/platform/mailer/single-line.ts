/**
 * Converts a text to a single line: replaces control characters (including line breaks) by spaces, drops
 * invisible characters that reverse or hide text, and collapses runs of spaces. For all user input that goes
 * into a header or a sentence of an e-mail.
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
