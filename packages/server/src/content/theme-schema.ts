import { z } from 'zod'

/** The colours a theme sets, named after the CSS variables: the accent and the header bar. */
export const colourNames = [
  'accent',
  'accent-hover',
  'accent-soft',
  'accent-ink',
  'on-accent',
  'focus',
  'bulk',
  'on-bulk',
  'lintel',
  'lintel-2',
  'lintel-line',
  'lintel-mark',
  'on-lintel',
  'on-lintel-2',
] as const

const label = z.string().regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens')

/** A path in the portal or an absolute URL. `//host` is neither. */
const location = z.string().regex(/^(https?:\/\/[^\s/]|\/(?!\/))\S*$/, 'must begin with "/" or "https://"')

const pageName = z.string().regex(/^[a-z0-9]+(\/[a-z0-9]+)*$/, 'must be lower-case letters, digits and "/"')

const menuEntry = z.strictObject({
  label,
  location,
  page: pageName.optional(),
  title: z.string().min(1).optional(),
  footer: z.boolean().optional(),
  authenticated: z.boolean().optional(),
  admin: z.union([z.boolean(), z.literal('only')]).optional(),
})

const faqLink = z.strictObject({ label, href: location })

const faqPath = z
  .string()
  .regex(
    /^(\/([a-z0-9._-]+|\*))*(\/\*\*)?$/,
    'must be a lower-case path; "*" stands for a segment, "/**" ends it',
  )
  .min(2)

const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must look like #0a6270')

const imageFile = z.string().regex(/^images\/[\w-]+\.(svg|png)$/, 'must be an .svg or .png in "images/"')

/** `theme.json`. */
export const themeFile = z.strictObject({
  menu: z.array(menuEntry),
  faq: z.record(faqPath, z.array(faqLink)),
  colours: z.record(z.enum(colourNames), z.strictObject({ light: colour, dark: colour })),
  images: z.strictObject({
    logo: imageFile,
    favicon: imageFile,
    mailMark: imageFile.regex(/\.png$/, 'must be a .png: mail programs do not show SVG'),
    /** Home screen icon: a square of 512 pixels whose edges may be cropped. */
    appIcon: imageFile.regex(/\.png$/, 'must be a .png: phones do not show SVG').optional(),
  }),
})

/** `theme.json` of a theme that extends another one and contains only the differences. */
export const themeOverlay = z.strictObject({
  extends: z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a theme folder'),
  menu: themeFile.shape.menu.optional(),
  faq: themeFile.shape.faq.optional(),
  colours: z.partialRecord(z.enum(colourNames), z.strictObject({ light: colour, dark: colour })).optional(),
  images: themeFile.shape.images.partial().optional(),
})

/** `strings/<language>.json`. */
export const stringsFile = z.record(
  z.string().regex(/^(menu|faq)\.[a-z0-9-]+$/, 'must be "menu.<label>" or "faq.<label>"'),
  z.string().min(1),
)

export type ThemeFile = z.infer<typeof themeFile>
export type ThemeStrings = z.infer<typeof stringsFile>
export type ThemeMenuEntry = z.infer<typeof menuEntry>
export type ThemeFaqLink = z.infer<typeof faqLink>
