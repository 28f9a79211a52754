import type { Icon as TablerIcon } from '@tabler/icons-react'

/**
 * An outline icon. Import each from its own file, because the whole set is large:
 * `import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'`.
 */
export type Glyph = TablerIcon

const sizes = { tiny: 13, small: 15, medium: 18, large: 22 }

export interface IconProps {
  of: Glyph
  size?: keyof typeof sizes
  className?: string
  /** Only for a standalone icon that isn't a control; otherwise it is decorative. */
  label?: string
}

export function Icon({ of: Glyph, size = 'medium', className = '', label }: IconProps) {
  const named = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  const stroke = size === 'tiny' ? 2 : 1.6
  return <Glyph size={sizes[size]} stroke={stroke} className={`icon ${className}`.trim()} {...named} />
}
