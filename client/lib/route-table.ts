import { routes } from '../../contract/index.ts'

/** Method and path of every call; the build replaces this module by the plain values (vite.config.ts). */
export const table: Record<string, { method: string; path: string }> = routes
