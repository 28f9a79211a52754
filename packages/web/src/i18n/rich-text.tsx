import { Fragment, type ReactNode } from 'react'

type Wrap = (content: string) => ReactNode

const element = /<(\w+)>(.*?)<\/\1>/gs

/**
 * Replaces tags in a translated text by React elements: `rich('See <b>this</b>', { b: (c) => <b>{c}</b> })`.
 */
export function rich(text: string, wraps: Record<string, Wrap>): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(element)) {
    const [whole, name = '', content = ''] = match
    parts.push(text.slice(end, match.index))
    parts.push(<Fragment key={match.index}>{wraps[name]?.(content) ?? content}</Fragment>)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}
