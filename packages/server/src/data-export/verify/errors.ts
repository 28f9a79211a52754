/** An archive isn't as it was signed, or can't be checked. The message says what is wrong. */
export class ExportDamaged extends Error {
  override name = 'ExportDamaged'
}
