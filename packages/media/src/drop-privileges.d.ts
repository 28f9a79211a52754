/** Drops root privileges, if the process has them. Throws if that fails. */
export function dropPrivileges(): void
