import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { InsideButton, TextInput } from '../../../ui/fields/TextInput.tsx'
import { discoverTexts as texts } from '../discover/texts.ts'

const DEBOUNCE_MS = 300
/** As the server takes them (`routes.search`). */
const LONGEST = 100

type SearchFieldProps = {
  words: string
  /** The search was just opened: its field takes the focus. */
  focused: boolean
  /** Told the words 300 ms after the last letter, or at once with Enter. */
  onSearch: (words: string) => void
}

/** Creators, titles, descriptions and tags are searched for as one types. */
export function SearchField({ words, focused, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(words)
  const [told, setTold] = useState(words)
  const [known, setKnown] = useState(words)
  // The address changed by other means, as the back button. What was told may come back once more is typed.
  if (known !== words) {
    setKnown(words)
    if (words !== told) {
      setTold(words)
      setTyped(words)
    }
  }
  const field = useRef<HTMLInputElement>(null)
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation opens it again.
  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused, key])

  const search = useDebouncedCallback((text: string) => {
    setTold(text.trim())
    onSearch(text.trim())
  }, DEBOUNCE_MS)
  const change = (text: string) => {
    setTyped(text)
    search(text)
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search.flush()
          // On a phone the keyboard lies over the results.
          field.current?.blur()
        }}
      >
        <TextInput
          ref={field}
          type="search"
          label={texts.search}
          placeholder={texts.search}
          value={typed}
          onChange={(event) => change(event.currentTarget.value)}
          maxLength={LONGEST}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          rightSection={
            typed && (
              <InsideButton
                label={texts.clearSearch}
                onClick={() => {
                  change('')
                  search.flush()
                  field.current?.focus()
                }}
              >
                <IconX size={20} stroke={1.5} aria-hidden />
              </InsideButton>
            )
          }
        />
      </form>
    </search>
  )
}
