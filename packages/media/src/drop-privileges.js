// Plain JavaScript, because processes that are started from the source need it too.

/** The user and group that own nothing. */
const nobody = 65_534

/**
 * Gives up root, if the process has it. A confined child does this itself, once it has read its code and opened its ports:
 * the code may lie where only root can read. Throws if root cannot be given up.
 */
export function dropPrivileges() {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}
