import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { TextInput } from './TextInput.tsx'

/** How long the typing rests before it is searched for, in milliseconds (docs/product.md, Limits). */
const DEBOUNCE_MS = 200

type SearchBoxProps = {
  label: string
  placeholder: string
  /** The present search. */
  value: string
  /** Told what is typed, trimmed, once it rests. */
  onChange: (search: string) => void
  maxLength: number
  /** The error about the search's result. */
  error?: string | undefined
  className?: string | undefined
}

/** A field that searches while one types in it. */
export function SearchBox({ value, onChange, className, ...field }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const [told, setTold] = useState(value)
  const [seen, setSeen] = useState(value)
  // It changed by itself: by going back, or by taking the filters away. What was told may take a while to come back.
  if (value !== seen) {
    setSeen(value)
    if (value !== told) {
      setTold(value)
      setTyped(value)
    }
  }
  const tell = useEffectEvent(onChange)
  useEffect(() => {
    const search = typed.trim()
    if (search === told) return
    const timer = setTimeout(() => {
      setTold(search)
      tell(search)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, told])
  return (
    <TextInput
      {...field}
      className={className}
      type="search"
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
