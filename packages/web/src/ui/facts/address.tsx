import { Fragment } from 'react'

/** An address or host name for narrow places: wraps before "@" and dots, never inside a word. */
export function Address({ children }: { children: string }) {
  return children.split(/(?=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
