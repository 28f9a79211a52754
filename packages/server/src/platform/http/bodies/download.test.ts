import { describe, expect, test } from 'vitest'
import { contentDisposition } from './download.ts'

describe('the file name', () => {
  test.each([
    ['users.csv', 'attachment; filename="users.csv"'],
    ['Two words.pdf', 'attachment; filename="Two words.pdf"'],
    ['Reçu été.pdf', 'attachment; filename="Recu ete.pdf"; filename*=UTF-8\'\'Re%C3%A7u%20%C3%A9t%C3%A9.pdf'],
    ['日.pdf', 'attachment; filename="_.pdf"; filename*=UTF-8\'\'%E6%97%A5.pdf'],
    ['a"b.pdf', 'attachment; filename="a_b.pdf"; filename*=UTF-8\'\'a%22b.pdf'],
    [
      "100% (l'un).pdf",
      "attachment; filename=\"100_ (l'un).pdf\"; filename*=UTF-8''100%25%20%28l%27un%29.pdf",
    ],
  ])('%s is sent so that every client can decode it', (name, header) => {
    expect(contentDisposition(name)).toBe(header)
  })

  test.each(['a\r\nset-cookie: x=1', '\ud800', '../../etc/passwd', '\u0000'])(
    'cannot break out of its header: %j',
    (name) => {
      const header = contentDisposition(name)
      expect(header).toMatch(/^attachment; filename="[ !#-$&-.0-[\]-~]*"; filename\*=UTF-8''[\w.!~%-]*$/)
    },
  )
})
