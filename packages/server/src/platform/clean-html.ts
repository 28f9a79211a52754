import sanitizeHtml from 'sanitize-html'

/** Sanitises HTML of catalogues and themes: no scripts, styles, forms, images or frames. */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      ...['h1', 'h2', 'h3', 'h4', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'div', 'section', 'span'],
      ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'strong', 'em', 'b', 'i', 'small', 'a', 'abbr', 'address'],
      ...['table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    allowedAttributes: {
      a: ['href'],
      th: ['scope', 'colspan'],
      td: ['colspan'],
      '*': ['class', 'id', 'lang'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    // any other id could shadow an element that the application looks up
    transformTags: {
      '*': (tagName, { id, ...attribs }) => ({
        tagName,
        attribs: id?.startsWith('faq-') ? { ...attribs, id } : attribs,
      }),
    },
  })
}
