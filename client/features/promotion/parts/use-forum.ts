import { useConfig } from '../../../lib/config.ts'

/** The forum that creators promote their work on, as people call it; one that isn’t set up offers nothing to connect. */
export function useForum(): { name: string; available: boolean } {
  // Almost every site has one: until its settings are here nothing is hidden.
  return useConfig()?.forum ?? { name: 'Reddit', available: true }
}
