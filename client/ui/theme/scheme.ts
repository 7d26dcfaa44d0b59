import { localStorageColorSchemeManager } from '@mantine/core'

/** Dark, light, or as the system says (`auto`); public/theme.js reads the same key before the first paint. */
export const schemeManager = localStorageColorSchemeManager({ key: 'color-scheme' })
