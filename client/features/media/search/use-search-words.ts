import { useSearchParams } from 'react-router'
import { searchAddress, wordsInAddress } from '../discover/address.ts'

/** The searched words. They are in the address; the first words are a step that can be gone back, changes are not. */
export function useSearchWords() {
  const [parameters, setParameters] = useSearchParams()
  const inAddress = wordsInAddress(parameters)
  return {
    /** Empty while nothing is searched for. */
    words: inAddress ?? '',
    /** The search was opened, and its words are still to be typed. */
    opened: inAddress === '',
    ask: (words: string) =>
      setParameters(searchAddress(words), { replace: inAddress !== null, preventScrollReset: true }),
  }
}
