/** Gives up root, if the process has it. Throws if root cannot be given up. */
export function dropPrivileges(): void
