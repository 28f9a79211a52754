/** Thrown for an invalid theme folder. The message names the file and the key. */
export class ThemeError extends Error {
  override readonly name = 'ThemeError'
  readonly file: string
  readonly key: string | undefined

  constructor(file: string, key: string | undefined, reason: string, options?: ErrorOptions) {
    super(`Theme file ${file}${key ? `, "${key}"` : ''}: ${reason}`, options)
    this.file = file
    this.key = key
  }
}
