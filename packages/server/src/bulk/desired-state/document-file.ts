import { maxDocumentBytes } from '@gatehouse/contract/directory/plans'
import { parseDocument, stringify } from 'yaml'

/** A file isn't a document; the message says why, with the line. */
export class DocumentUnreadable extends Error {
  override name = 'DocumentUnreadable'
}

/**
 * Parses a document in YAML 1.2 or JSON, which is a part of YAML. Tags, aliases, repeated keys and several
 * documents in a file are errors. Throws DocumentUnreadable.
 */
export function parseDocumentFile(text: string): Record<string, unknown> {
  if (Buffer.byteLength(text) > maxDocumentBytes) {
    throw new DocumentUnreadable(`The file is larger than ${maxDocumentBytes / 1024 / 1024} MB.`)
  }
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DocumentUnreadable('The file contains no document.')
  }
  return { ...value }
}

function parse(text: string): unknown {
  try {
    const document = parseDocument(text, {
      schema: 'core',
      version: '1.2',
      uniqueKeys: true,
      logLevel: 'error',
    })
    // a tag that isn't known is only a warning
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    // aliases let a small file grow without bound
    return document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    // deep nesting exceeds the stack
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : ''
    throw new DocumentUnreadable(`The file can't be read: ${reason}`)
  }
}

/** Writes a document as YAML. */
export function spellDocument(document: unknown): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
