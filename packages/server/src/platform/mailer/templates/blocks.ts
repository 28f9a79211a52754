/** A building block of an e-mail. One list of blocks renders both the HTML and the plain text. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; label: string; code: string }
  | { kind: 'button'; label: string; href: string; fallback: string }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'steps'; items: readonly { text: string; href?: string | undefined }[] }

/** Renders the blocks as plain text, separated by empty lines. */
export function plainText(blocks: readonly Block[]): string {
  return blocks.map(plainBlock).join('\n\n')
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text
    case 'code':
      return `${block.label}: ${block.code}`
    case 'button':
      return `${block.label}:\n${block.href}`
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
    case 'steps':
      return block.items
        .map(({ text, href }, index) => `${index + 1}. ${text}${href ? `:\n   ${href}` : ''}`)
        .join('\n')
  }
}
